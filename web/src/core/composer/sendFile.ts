import { MAX_UPLOADED_FILE } from "../../../../src/contract/limits.ts"
import { filledText, parseJson } from "../../../../src/contract/looseFields.ts"
import { keyParts } from "../../../../src/contract/qualifiedKey.ts"
import type { ErrorAnswer } from "../../../../src/contract/schema/failure.ts"
import type { UploadedFile } from "../../../../src/contract/schema/files.ts"
import { agentOfKey } from "../../../../src/services/conversations/history/agentOfKey.ts"
import { below } from "../common/basePath.ts"
import { say } from "../language/say.ts"
import { sentenceBetween } from "../link/ApiClient.ts"
import { failureText } from "../link/failureText.ts"
import { type Upload, uploads } from "./draftFiles.ts"
import type { MessageFile, TextFile } from "./messageFiles.ts"

/** Largest file that goes as text, in bytes, and all of a message together. */
const MAX_TEXT_FILE = 64 * 1024
const MAX_TEXTS = 128 * 1024
const MAX_NAME = 120

/** A file's size for people and agents. */
export const sizeText = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} B`
  const [value, unit] = bytes < 999_950 ? [bytes / 1_000, "KB"] : [bytes / 1_000_000, "MB"]
  return `${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)} ${unit}`
}

const decoder = new TextDecoder("utf-8", { fatal: true })

/** How documents begin that may be written in nothing but letters; what they say isn't what is in the file. */
const DOCUMENT = /^(%PDF-|%!PS|\{\\rtf)/

/** The text of a file that is text: UTF-8 without NUL, and no document; null for any other. */
export const textIn = (bytes: Uint8Array): string | null => {
  if (bytes.includes(0)) return null
  try {
    const text = decoder.decode(bytes)
    return DOCUMENT.test(text) ? null : text
  } catch {
    return null
  }
}

/** The name of a text on one line, without what isn't seen. */
const shownName = (name: string): string => {
  const plain = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "").trim()
  return plain === "" ? "text" : plain.slice(0, MAX_NAME).toWellFormed()
}

export const textFile = (name: string, bytes: number, text: string): TextFile => ({
  kind: "text",
  name: shownName(name),
  size: sizeText(bytes),
  text
})

const encoder = new TextEncoder()

/** Whether another text of that size may go with a message that has these files. */
export const takesText = (files: ReadonlyArray<MessageFile>, bytes: number): boolean => {
  const taken = files.reduce((sum, file) => sum + (file.kind === "text" ? encoder.encode(file.text).length : 0), 0)
  return bytes <= MAX_TEXT_FILE && taken + bytes <= MAX_TEXTS
}

export const isTooLarge = (bytes: number): boolean => bytes > MAX_UPLOADED_FILE

/** How many files go at a time: the browser has few connections, and others need one. */
const AT_ONCE = 2

interface Job {
  readonly file: File
  request: XMLHttpRequest | null
}

const jobs = new Map<number, Job>()
let lastId = 0

const change = (id: number, next: Partial<Upload>): void =>
  uploads.set(uploads.get().map((upload) => (upload.id === id ? { ...upload, ...next } : upload)))

/** What went wrong; `body` is undefined for an answer that isn't JSON, and so isn't the console's. */
const sentence = (status: number, body: Partial<ErrorAnswer> | undefined): string => {
  if (status > 0 && status !== 429 && body === undefined) return sentenceBetween(status)
  if (status === 401) return say("Please sign in again.")
  if (status === 413) return say("A file can have at most 100 MB.")
  if (status === 429) return say("Too many files at once. Wait a moment, then try again.")
  const { details, why } = body ?? {}
  return failureText(filledText(details), why) ?? say("Couldn't upload it. Check your connection, then try again.")
}

const addressFor = (sessionKey: string, name: string): string =>
  `/api/uploads?${new URLSearchParams({ agent: agentOfKey(keyParts(sessionKey).key), name: name.slice(0, 500) })}`

/** Begins what waits, as far as there's room. */
function pump(): void {
  const under = [...jobs.values()].filter(({ request }) => request !== null).length
  const waiting = uploads.get().filter(({ error, id }) => error === null && jobs.get(id)?.request === null)
  for (const upload of waiting.slice(0, Math.max(0, AT_ONCE - under))) send(upload)
}

function send({ id, name, sessionKey }: Upload): void {
  const job = jobs.get(id)
  if (job === undefined) return
  const request = new XMLHttpRequest()
  job.request = request
  const end = (next: Partial<Upload>) => {
    job.request = null
    if (next.done !== undefined) jobs.delete(id)
    change(id, next)
    pump()
  }
  const fail = (status: number, body: Partial<ErrorAnswer> | undefined) => end({ error: sentence(status, body) })
  request.open("POST", below(addressFor(sessionKey, name)))
  request.setRequestHeader("content-type", "application/octet-stream")
  // `fetch` can't tell how far it is.
  request.upload.onprogress = ({ loaded, total }) => change(id, { progress: total > 0 ? loaded / total : 0 })
  request.onload = () => {
    const body = parseJson<Partial<UploadedFile & ErrorAnswer>>(request.responseText)
    const { path, size = 0 } = body ?? {}
    if (request.status !== 201 || path === undefined) return fail(request.status, body)
    end({ progress: 1, done: { kind: "file", path, size: sizeText(size) } })
  }
  request.onerror = () => fail(0, {})
  request.send(job.file)
}

/** Sends a file into the workspace of a session's agent; returns the upload's id. */
export function startUpload(sessionKey: string, file: File): number {
  lastId += 1
  jobs.set(lastId, { file, request: null })
  const { name, size } = file
  const upload: Upload = { id: lastId, sessionKey, name, size: sizeText(size), progress: 0, error: null, done: null }
  uploads.set([...uploads.get(), upload])
  pump()
  return upload.id
}

/** Gives up on a file, wherever it is. */
export function cancelUpload(id: number): void {
  const request = jobs.get(id)?.request
  jobs.delete(id)
  uploads.set(uploads.get().filter((upload) => upload.id !== id))
  request?.abort()
  pump()
}

/** Sends a file again that didn't arrive. */
export function retryUpload(id: number): void {
  change(id, { error: null, progress: 0 })
  pump()
}
