import type { Previewed } from "./previewRequest.ts"

/**
 * The address that gives a document back in an origin of its own, where scripts reach nothing of the console. They can
 * load nothing; direct connections (WebRTC) are stopped by newer Chromiums only.
 */
const ADDRESS = "/api/preview"

/** Opens a document in a tab of its own, in which its scripts run. */
export const runPreview = ({ code }: Previewed): void => {
  const form = document.createElement("form")
  form.method = "post"
  form.action = ADDRESS
  form.target = "_blank"
  form.rel = "noopener"
  form.hidden = true
  const field = document.createElement("textarea")
  field.name = "html"
  field.value = code
  form.append(field)
  document.body.append(form)
  form.submit()
  form.remove()
}
