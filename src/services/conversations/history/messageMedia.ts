import { type Fields, fieldsOf, filledText, listOf, recordsOf, textOf } from "../../../contract/looseFields.ts"
import { imageAddress } from "../../../contract/safeAddress.ts"
import type { ChatMedia } from "./mediaLines.ts"
import { mediaAt, mediaKind, nameOfPlace } from "./mediaLines.ts"

/** A message's location, for pictures that only its transcript has. */
export interface MessagePlace {
  readonly agent: string
  readonly sessionId: string | null
  readonly messageId: string | null
}

const OUTGOING = /^\/api\/chat\/media\/outgoing\/([^/?#]+)\/([0-9a-f-]{36})\/full(?:[?#]|$)/
const INBOUND = /^media:\/\/inbound\/([^/?#]+)$/

const GONE = "NO_LONGER_AVAILABLE"
const NOT_SHOWN = "NOT_SHOWN"

/** The console's address for a file the gateway serves, null for any other address. */
export function servedAt(url: string | null): string | null {
  const [, session, id] = OUTGOING.exec(url ?? "") ?? []
  if (session !== undefined && id !== undefined) return `/api/gateway/media/outgoing/${session}/${id}`
  const name = INBOUND.exec(url ?? "")?.[1]
  return name === undefined ? null : `/api/gateway/media/inbound/${name}`
}

/** A file's kind by its type, otherwise by the gateway's word for it or its name; undefined for a picture. */
function kindOf(type: string | null, word: unknown, name: string): ChatMedia["kind"] {
  const family = type?.split("/")[0] ?? textOf(word)
  if (family === "image") return undefined
  if (family === "audio" || family === "video") return family
  return type === null && word === undefined ? mediaKind(name) : "file"
}

/** A file in a message; documents other than PDFs are only named, because the console doesn't serve them. */
function media(name: string, src: string | null, kind: ChatMedia["kind"], type: string | null): ChatMedia {
  if (kind === "file" && type !== "application/pdf") return { name, src: null, kind }
  return { name, src, ...(kind === undefined ? {} : { kind }), ...(src === null ? { problem: NOT_SHOWN } : {}) }
}

/** The picture, recording or file in a part of a message; null for parts of other kinds. */
export function mediaOfPart(part: Fields): ChatMedia | null {
  const type = textOf(part.type)
  if (type === "attachment" || type === "attachment_error") {
    const file = fieldsOf(part.attachment)
    const name = filledText(file.label) ?? "file"
    const mimeType = textOf(file.mimeType)
    const kind = kindOf(mimeType, file.kind, name)
    if (type === "attachment") return media(name, servedAt(textOf(file.url)), kind, mimeType)
    const problem = file.code === "file-not-found" ? GONE : NOT_SHOWN
    return { name, src: null, ...(kind === undefined ? {} : { kind }), problem }
  }
  if (type !== "image" && type !== "audio" && type !== "video") return null
  const mimeType = textOf(part.mimeType)
  const name = filledText(part.alt) ?? filledText(part.fileName) ?? (type === "image" ? "picture" : type)
  return media(name, servedAt(textOf(part.url)) ?? inlineData(part), type === "image" ? undefined : type, mimeType)
}

function inlineData(part: Fields): string | null {
  const [type, data] = [textOf(part.mimeType), textOf(part.data)]
  return type === null || data === null ? null : imageAddress(`data:${type};base64,${data}`)
}

const numbered = (all: ReadonlyArray<ChatMedia>): ReadonlyArray<ChatMedia> =>
  all.length < 2
    ? all
    : all.map((one, index) => (one.name === "picture" ? { ...one, name: `picture ${index + 1}` } : one))

/**
 * What a person sent with a message: newer gateways list it with the message, older ones only mention that there was
 * a picture, or the path it was stored under.
 */
export function personMedia(message: Fields, { agent, messageId, sessionId }: MessagePlace): ReadonlyArray<ChatMedia> {
  const listed = recordsOf(fieldsOf(message.__openclaw).media)
  if (listed.length > 0) {
    return numbered(
      listed.map((fact) => {
        const type = textOf(fact.contentType)
        const given = filledText(fact.fileName)
        const kind = kindOf(type, fact.kind, given ?? "")
        const name = given ?? (kind === undefined ? "picture" : kind)
        return media(name, servedAt(textOf(fact.url)), kind, type)
      })
    )
  }
  const parts = recordsOf(message.content).filter((part) => part.type === "image")
  if (parts.length > 0) {
    const isStored = agent !== "@" && sessionId !== null && messageId !== null
    const place = isStored ? [agent, sessionId, messageId].map(encodeURIComponent).join("/") : null
    return numbered(
      parts.map((part, index) => {
        const src = inlineData(part) ?? (place === null ? null : `/api/gateway/media/message/${place}/${index}`)
        return media(filledText(part.fileName) ?? "picture", src, undefined, null)
      })
    )
  }
  const paths = listOf(message.MediaPaths ?? (message.MediaPath === undefined ? [] : [message.MediaPath]))
  return numbered(
    paths.flatMap((path) => {
      const place = filledText(path)
      if (place === null) return []
      const kept = mediaAt(place, agent)
      return [kept.kind === undefined && nameOfPlace(place) === kept.name ? { ...kept, name: "picture" } : kept]
    })
  )
}
