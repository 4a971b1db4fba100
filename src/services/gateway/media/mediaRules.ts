import { Schema } from "effect"
import { failureFields } from "../../../contract/schema/failure.ts"

/** There is no such picture, recording or file. */
export class MediaMissing extends Schema.TaggedError<MediaMissing>()("MediaMissing", failureFields) {}

/** A file type that can't be shown. */
export class MediaUnsupported extends Schema.TaggedError<MediaUnsupported>()("MediaUnsupported", failureFields) {}

/** A file over the size limit. */
export class MediaTooLarge extends Schema.TaggedError<MediaTooLarge>()("MediaTooLarge", failureFields) {}

const MAX_SESSION = 1_000
const MAX_NAME = 255

const hasControls = (text: string): boolean => {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code < 32 || code === 127) return true
  }
  return false
}

/** A path segment: not empty, no "..", and only valid characters. */
const isPart = (text: string, max: number): boolean =>
  text !== "" && text !== "." && text !== ".." && text.length <= max && text.isWellFormed() && !hasControls(text)

/** A session's key, as a part of an address. */
export const MediaSession = Schema.String.check(
  Schema.makeFilter((key: string) => isPart(key, MAX_SESSION), { message: "must be a session's key" })
)

/** An agent's id. */
export const AgentId = Schema.String.check(
  Schema.isPattern(/^[a-z0-9][a-z0-9_-]{0,63}$/i, { message: "must be an agent's id" })
)

/** The gateway's id of a file it sent. */
export const MediaId = Schema.String.check(
  Schema.isPattern(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/, {
    message: "must be the id of a file"
  })
)

/** The gateway's name for a file a person sent, without folders. */
export const InboundName = Schema.String.check(
  Schema.makeFilter((name: string) => isPart(name, MAX_NAME) && !/[/\\]/.test(name), {
    message: "must be the name of a file"
  })
)

/** The gateway's address of a file an agent sent. */
export const outgoingPath = (session: string, id: string): string =>
  `/api/chat/media/outgoing/${encodeURIComponent(session)}/${id}/full`

/** The gateway's address of a file a person sent. */
export const inboundPath = (name: string): string =>
  `/__openclaw__/assistant-media?source=${encodeURIComponent(`media://inbound/${encodeURIComponent(name)}`)}`

const SHOWN = /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)|(?:audio|video)\/[a-z0-9.+-]{1,60}|application\/pdf)$/

/** The media type of pictures, recordings and PDFs; `undefined` for everything else. */
export const mediaTypeOf = (contentType: string | undefined): string | undefined => {
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? ""
  return SHOWN.test(type) ? type : undefined
}

/** The file name for downloads, from the gateway's `Content-Disposition` (RFC 6266). */
export const fileNameOf = (disposition: string | undefined): string | undefined => {
  const coded = /filename\*=UTF-8''([A-Za-z0-9%._~!$&+^`|-]{1,900})/i.exec(disposition ?? "")?.[1]
  const plain = /filename="([^"\\]{1,300})"/i.exec(disposition ?? "")?.[1]
  const name = (coded === undefined || /%(?![0-9a-f]{2})/i.test(coded) ? plain : decodedName(coded)) ?? plain
  return name === undefined || hasControls(name) ? undefined : name.split(/[/\\]/).at(-1)
}

/** Percent-escapes of UTF-8 as text; invalid bytes become replacement characters. */
const decodedName = (coded: string): string =>
  Buffer.from(
    coded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1"
  ).toString("utf8")
