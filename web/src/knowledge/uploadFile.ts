import type { ErrorAnswer } from "../../../src/contract/schema/failure.ts"
import type { ChangedPath } from "../../../src/contract/schema/files.ts"
import { filledText, parseJson } from "../core/common/decode.ts"
import { askedOf } from "../core/knowledge/agentConnections.ts"
import { say } from "../core/language/say.ts"
import { sentenceBetween } from "../core/link/ApiClient.ts"

/** The result of an upload: its new path, or why it failed. */
export type UploadOutcome =
  | { readonly ok: true; readonly path: string }
  | {
      readonly ok: false
      readonly message: string
      readonly retryAfterMs: number | null
      /** Something with that name already exists. */
      readonly exists: boolean
    }

/** Where a file goes, and what to do if its name is taken. */
export interface UploadTarget {
  readonly agent: string | null
  readonly folder: string
  readonly name: string
  readonly replace: boolean
}

/** What went wrong; `body` is undefined for an answer that isn't JSON, and so isn't the console's. */
const sentence = (status: number, body: Partial<ErrorAnswer> | undefined): string => {
  if (status > 0 && status !== 429 && body === undefined) return sentenceBetween(status)
  if (status === 401) return say("Please sign in again.")
  if (status === 413) return say("It's larger than 12 MB.")
  if (status === 429) return say("Too many uploads at once.")
  return filledText(body?.details) ?? say("Couldn't upload it. Check your connection, then try again.")
}

/** Uploads one file and reports progress from 0 to 1, which `fetch` can't. */
export const uploadFile = (
  { agent, folder, name, replace }: UploadTarget,
  file: File,
  progress: (part: number) => void
): Promise<UploadOutcome> =>
  new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open("POST", askedOf("/api/files/upload", agent))
    request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0)
    request.onload = () => {
      const body = parseJson<Partial<ChangedPath & ErrorAnswer>>(request.responseText)
      const path = body?.path
      if (request.status === 200 && path !== undefined) return resolve({ ok: true, path })
      const seconds = Number(request.getResponseHeader("retry-after") ?? "1")
      const retryAfterMs = request.status === 429 ? Math.max(1, Number.isFinite(seconds) ? seconds : 1) * 1000 : null
      const exists = request.status === 409 && body !== undefined
      resolve({ ok: false, message: sentence(request.status, body), retryAfterMs, exists })
    }
    request.onerror = () => resolve({ ok: false, message: sentence(0, {}), retryAfterMs: null, exists: false })
    const form = new FormData()
    if (folder !== "") form.append("path", folder)
    if (replace) form.append("existing", "replace")
    form.append("file", file, name)
    request.send(form)
  })
