import { createHash } from "node:crypto"
import { Result } from "effect"
import type { Gateway } from "../Gateway.ts"
import { fileNameOf } from "../sessions/mediaView.ts"
import { inboundName } from "../sessions/messageView.ts"
import type { PlainAnswer, PlainRequest } from "./plainAnswer.ts"

const OUTGOING = /^\/api\/chat\/media\/outgoing\/([^/]+)\/([^/]+)\/full$/
const ASSISTANT_MEDIA = "/__openclaw__/assistant-media"
const INBOUND = "media://inbound/"

interface StoredFile {
  readonly name: string
  readonly mimeType: string
  readonly data: string
}

/** A part of an address; one that cannot be decoded is taken as it stands. */
const decoded = (part: string): string =>
  Result.getOrElse(
    Result.try(() => decodeURIComponent(part)),
    () => part
  )

const notFound: PlainAnswer = { status: 404, type: "text/plain; charset=utf-8", body: "not found" }

const sent = (gateway: Gateway, key: string, id: string): StoredFile | undefined => {
  for (const message of gateway.store.find(key)?.messages ?? []) {
    const parts = message.role === "assistant" ? message.parts : []
    for (const part of parts)
      if (part.type === "media" && part.id === id) return { ...part, name: fileNameOf(part.path) }
  }
  return undefined
}

const received = (gateway: Gateway, name: string): StoredFile | undefined => {
  for (const session of gateway.store.sessions.values())
    for (const message of session.messages) {
      const images = message.role === "user" ? message.images : []
      const image = images.find((_, index) => inboundName(message.id, index) === name)
      if (image !== undefined) return { ...image, name }
    }
  return undefined
}

/** The file, or the one range of it that is asked for. */
const fileAnswer = ({ data, mimeType, name }: StoredFile, request: PlainRequest): PlainAnswer => {
  const bytes = Buffer.from(data, "base64")
  const etag = `"${createHash("sha256").update(bytes).digest("base64url")}"`
  const headers = {
    "accept-ranges": "bytes",
    "cache-control": "private, max-age=31536000, immutable",
    "content-disposition": `inline; filename="${name}"`,
    "x-content-type-options": "nosniff",
    etag
  }
  if (request.headers["if-none-match"] === etag) return { status: 304, type: mimeType, body: "", headers }
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(String(request.headers.range ?? "")) ?? []
  if (from === undefined) return { status: 200, type: mimeType, body: bytes, headers }
  const start = Number(from)
  const end = to === undefined || to === "" ? bytes.length : Math.min(Number(to) + 1, bytes.length)
  if (start >= bytes.length)
    return {
      status: 416,
      type: mimeType,
      body: "",
      headers: { ...headers, "content-range": `bytes */${bytes.length}` }
    }
  const range = { "content-range": `bytes ${start}-${end - 1}/${bytes.length}` }
  return { status: 206, type: mimeType, body: bytes.subarray(start, end), headers: { ...headers, ...range } }
}

/** Files of conversations; `undefined` for every other address. */
export const answerMedia = (
  gateway: Gateway,
  request: PlainRequest,
  url: URL,
  refusal: PlainAnswer | undefined
): PlainAnswer | undefined => {
  const [, key, id] = OUTGOING.exec(url.pathname) ?? []
  const isOutgoing = key !== undefined && id !== undefined
  if (!isOutgoing && url.pathname !== ASSISTANT_MEDIA) return undefined
  if (!gateway.generation.hasFullHttp) return notFound
  if (refusal !== undefined) return refusal
  const source = url.searchParams.get("source") ?? ""
  const name = source.startsWith(INBOUND) ? source.slice(INBOUND.length) : ""
  const file = isOutgoing ? sent(gateway, decoded(key), id) : received(gateway, decoded(name))
  return file === undefined ? notFound : fileAnswer(file, request)
}
