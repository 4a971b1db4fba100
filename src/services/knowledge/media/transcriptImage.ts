import { Option, Schema } from "effect"
import { mediaTypeOf } from "../../gateway/media/mediaRules.ts"

/** A picture in a transcript. */
export interface StoredImage {
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
export const mentions = (line: string, message: string): boolean => line.slice(0, 200).includes(`"id":"${message}"`)

/** One of the pictures in a person's message, from the message's transcript line. */
export const imageOfLine = (line: string, message: string, index: number): StoredImage | undefined => {
  const found = Option.getOrUndefined(decodeLine(line))
  if (found === undefined || found.id !== message) return undefined
  const image = found.message.content.filter(isImage)[index]
  const contentType = mediaTypeOf(image?.mimeType)
  return image === undefined || contentType?.startsWith("image/") !== true
    ? undefined
    : { contentType, data: Buffer.from(image.data, "base64") }
}
