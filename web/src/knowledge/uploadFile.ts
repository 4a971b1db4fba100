import { fieldsOf, filledText, parseJson, textOf } from "../core/decode.ts"

/** What became of an upload: the path it has now, or why not. */
export type UploadOutcome =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly message: string; readonly retryAfterMs: number | null }

/** Largest file the server takes, in bytes (SPEC "File browser"). */
export const MAX_UPLOAD_BYTES = 12 * 1024 * 1024

const sentence = (status: number, body: unknown): string => {
  const { details } = fieldsOf(body)
  if (status === 401) return "Please sign in again."
  if (status === 413) return "It has more than 12 MB."
  if (status === 429) return "Too many uploads at once."
  return filledText(details) ?? "It could not be uploaded. Check the connection, then try again."
}

/** Uploads one file into a folder and tells how much of it went, from 0 to 1. `fetch` cannot tell that. */
export const uploadFile = (folder: string, file: File, progress: (part: number) => void): Promise<UploadOutcome> =>
  new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open("POST", "/api/files/upload")
    request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0)
    request.onload = () => {
      const body = parseJson(request.responseText)
      const path = textOf(fieldsOf(body).path)
      if (request.status === 200 && path !== null) return resolve({ ok: true, path })
      const seconds = Number(request.getResponseHeader("retry-after") ?? "1")
      const retryAfterMs = request.status === 429 ? Math.max(1, Number.isFinite(seconds) ? seconds : 1) * 1000 : null
      resolve({ ok: false, message: sentence(request.status, body), retryAfterMs })
    }
    request.onerror = () => resolve({ ok: false, message: sentence(0, null), retryAfterMs: null })
    const form = new FormData()
    if (folder !== "") form.append("path", folder)
    form.append("file", file, file.name)
    request.send(form)
  })
