import { component$, Slot, useSignal } from "@builder.io/qwik"
import download from "../../../icons/download.svg?shapes"
import { useBrowserTask$ } from "../../base/useBrowserTask.ts"
import { say } from "../../core/language/say.ts"
import { copyText } from "../copyText.ts"
import { Icon, LineIcon } from "../Icon.tsx"
import { saveFile } from "../saveFile.ts"
import { previewDocument } from "./previewDocument.ts"
import type { Previewed } from "./previewRequest.ts"

/**
 * The address that gives a document back in an origin of its own, where scripts reach nothing of the console. They can
 * load nothing; direct connections (WebRTC) are stopped by newer Chromiums only.
 */
const ADDRESS = "/api/preview"

/** Opens a document in a tab of its own, in which its scripts run. */
const runPreview = ({ code }: Previewed): void => {
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

/** A document as it looks, or as its code, and what can be done with it. */
export const PreviewBody = component$<{ readonly previewed: Previewed }>((props) => {
  const place = useSignal<HTMLElement>()
  const asCode = useSignal(false)
  const hasScripts = useSignal(false)
  const copied = useSignal(false)
  const turn = useSignal(0)

  useBrowserTask$(({ track }) => {
    const target = track(() => place.value)
    const { code, kind } = track(() => props.previewed)
    track(() => turn.value)
    if (target === undefined) return
    const shown = previewDocument({ code, kind })
    const frame = document.createElement("iframe")
    frame.title = kind === "svg" ? say("Drawing") : say("Page")
    frame.sandbox.value = ""
    frame.referrerPolicy = "no-referrer"
    frame.srcdoc = shown.html
    hasScripts.value = shown.hasScripts
    target.replaceChildren(frame)
  })

  return (
    <>
      <div class="row wrap gap-1 preview-bar">
        <div class="segmented" role="group" aria-label={say("Show")}>
          <button
            type="button"
            aria-pressed={!asCode.value}
            onClick$={() => {
              asCode.value = false
            }}
          >
            {say("Preview")}
          </button>
          <button
            type="button"
            aria-pressed={asCode.value}
            onClick$={() => {
              asCode.value = true
            }}
          >
            {say("Code")}
          </button>
        </div>
        <button
          type="button"
          class="icon-button"
          aria-label={say("Reload")}
          title={say("Reload")}
          onClick$={() => {
            turn.value++
          }}
        >
          <Icon name="refresh" />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={copied.value ? say("Copied") : say("Copy code")}
          title={copied.value ? say("Copied") : say("Copy code")}
          onClick$={async () => {
            copied.value = await copyText(props.previewed.code)
            setTimeout(() => {
              copied.value = false
            }, 2000)
          }}
        >
          <Icon name={copied.value ? "check" : "copy"} />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={say("Save as file")}
          title={say("Save as file")}
          onClick$={() => {
            const { code, kind } = props.previewed
            saveFile(kind === "svg" ? "drawing.svg" : "page.html", code, kind === "svg" ? "image/svg+xml" : "text/html")
          }}
        >
          <LineIcon shapes={download} />
        </button>
        <Slot />
      </div>
      {hasScripts.value && (
        <div class="row wrap gap-2 soft preview-note">
          <p>
            <span>{say("Scripts don't run in this preview.")}</span>{" "}
            <span>
              {say(
                "In a new tab, they reach nothing of the console and load nothing. Only some browsers also stop direct connections (WebRTC)."
              )}
            </span>
          </p>
          <button type="button" class="button is-small" onClick$={() => runPreview(props.previewed)}>
            {say("Run in a new tab")}
          </button>
        </div>
      )}
      <div class={["preview-frame", asCode.value && "is-hidden"]} ref={place} />
      {asCode.value && (
        <pre class="preview-code" tabIndex={0}>
          <code>{props.previewed.code}</code>
        </pre>
      )}
    </>
  )
})
