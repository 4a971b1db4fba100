import { posix } from "node:path"
import { Context, Effect, Layer, Option, Schema, Stream } from "effect"
import { AgentId, mediaTypeOf } from "../../gateway/media/mediaRules.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import { attempt, type FileError, FileMissing } from "../../platform/storage/fileErrors.ts"
import { makeGuardedRoot } from "../files/GuardedRoot.ts"
import { fileBytes } from "../files/OpenFile.ts"

/** A picture in a transcript. */
interface StoredImage {
  readonly contentType: string
  readonly data: Uint8Array
}

const Line = Schema.fromJsonString(
  Schema.Struct({
    type: Schema.Literal("message"),
    id: Schema.String,
    message: Schema.Struct({ role: Schema.Literal("user"), content: Schema.Array(Schema.Unknown) })
  })
)
const decodeLine = Schema.decodeUnknownOption(Line)

const Image = Schema.Struct({
  type: Schema.Literal("image"),
  mimeType: Schema.String,
  data: Schema.String.check(Schema.isPattern(/^[A-Za-z0-9+/]+={0,2}$/))
})
const isImage = Schema.is(Image)

/** Whether a transcript line may be a message's, before parsing the whole line. */
const mentions = (line: string, message: string): boolean => line.slice(0, 200).includes(`"id":"${message}"`)

/** One of the pictures in a person's message, from the message's transcript line. */
const imageOfLine = (line: string, message: string, index: number): StoredImage | undefined => {
  const found = Option.getOrUndefined(decodeLine(line))
  if (found === undefined || found.id !== message) return undefined
  const image = found.message.content.filter(isImage)[index]
  const contentType = mediaTypeOf(image?.mimeType)
  return image === undefined || contentType?.startsWith("image/") !== true
    ? undefined
    : { contentType, data: Buffer.from(image.data, "base64") }
}

/** The location of a picture: session id, message, and position among the message's pictures. */
export const ImagePlace = Schema.Struct({
  agent: AgentId,
  session: Schema.String.check(Schema.isPattern(/^[a-z0-9][a-z0-9_-]{0,127}$/i, { message: "must be a session's id" })),
  message: Schema.String.check(Schema.isPattern(/^[a-z0-9-]{1,64}$/i, { message: "must be a message's id" })),
  index: Schema.String.check(Schema.isPattern(/^\d{1,2}$/, { message: "must be a number from 0 to 99" }))
})
export type ImagePlace = typeof ImagePlace.Type

export interface TranscriptImagesShape {
  /** A picture a person sent, from the gateway's files on this machine. */
  readonly read: (place: ImagePlace) => Effect.Effect<StoredImage, FileError>
}

/**
 * Pictures that people sent to a gateway of the older generation. Its history only mentions them; the picture itself is
 * only in the session's transcript on disk.
 */
export class TranscriptImages extends Context.Service<TranscriptImages, TranscriptImagesShape>()(
  "agent-console/services/knowledge/media/TranscriptImages"
) {
  static readonly layer = Layer.effect(
    TranscriptImages,
    Effect.gen(function* () {
      const { gatewayHome, sessionsDir } = yield* Settings
      const agents = makeGuardedRoot(posix.join(gatewayHome, "agents"))
      const own = sessionsDir === undefined ? undefined : makeGuardedRoot(sessionsDir)

      const fileOf = ({ agent, session }: ImagePlace) => {
        const name = `${session}.jsonl`
        return own !== undefined && agent === "main" ? own.file([name]) : agents.file([agent, "sessions", name])
      }

      const read = Effect.fn("TranscriptImages.read")(function* (place: ImagePlace) {
        const { handle } = yield* fileOf(place)
        const { size } = yield* attempt(() => handle.stat())
        const line = yield* fileBytes(handle, 0, size).pipe(
          Stream.decodeText,
          Stream.splitLines,
          Stream.filter((text) => mentions(text, place.message)),
          Stream.runHead
        )
        const image = Option.isNone(line) ? undefined : imageOfLine(line.value, place.message, Number(place.index))
        return image ?? (yield* new FileMissing())
      }, Effect.scoped)

      return TranscriptImages.of({ read })
    })
  )
}
