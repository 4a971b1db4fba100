import { PRIMARY } from "../../../src/contract/qualifiedKey.ts"
import type { OutgoingImage } from "../../../src/services/conversations/turn/outgoing.ts"
import { fitsFrame, fitted, SMALL_BYTES } from "../core/composer/imageSize.ts"
import type { MessageFile } from "../core/composer/messageFiles.ts"
import { isTooLarge, startUpload, takesText, textFile, textIn } from "../core/composer/sendFile.ts"
import { gatewayOfKey } from "../core/gateways/gatewayMark.ts"
import { say } from "../core/language/say.ts"

/** Maximum pictures per message. */
const MAX_IMAGES = 20

/** Whether another picture goes with a message: it has to fit into one frame of the gateway (`maxPayload` bytes). */
const addsPicture = (before: ReadonlyArray<OutgoingImage>, { content }: OutgoingImage, maxPayload: number): boolean =>
  before.length < MAX_IMAGES && fitsFrame([...before.map((image) => image.content.length), content.length], maxPayload)

/** The picture as is if it is small or animated, otherwise redrawn; null if it isn't a picture. */
const readPicture = async (file: File): Promise<OutgoingImage | null> => {
  const bitmap = await createImageBitmap(file).catch(() => null)
  if (bitmap === null) return null
  const size = fitted(bitmap.width, bitmap.height)
  const isSmall = file.size <= SMALL_BYTES && size.width === bitmap.width
  const keeps = isSmall || (file.type === "image/gif" && file.size <= 8 * SMALL_BYTES)
  const blob = keeps ? file : await draw(bitmap, size)
  bitmap.close()
  const content = blob === null ? null : await base64(blob)
  return blob === null || content === null ? null : { mimeType: blob.type, fileName: file.name, content }
}

const draw = (bitmap: ImageBitmap, size: { readonly width: number; readonly height: number }): Promise<Blob | null> => {
  const canvas = document.createElement("canvas")
  canvas.width = size.width
  canvas.height = size.height
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, size.width, size.height)
  return new Promise((resolve) => canvas.toBlob(resolve, "image/webp", 0.86))
}

const base64 = (blob: Blob): Promise<string | null> =>
  new Promise((resolve) => {
    const reader = new FileReader()
    reader.onerror = () => resolve(null)
    reader.onload = () => {
      const url = typeof reader.result === "string" ? reader.result : ""
      const comma = url.indexOf(",")
      resolve(comma === -1 ? null : url.slice(comma + 1))
    }
    reader.readAsDataURL(blob)
  })

/** What comes with a message. */
interface Attached {
  readonly images: ReadonlyArray<OutgoingImage>
  readonly files: ReadonlyArray<MessageFile>
}

/** What was picked, pasted or dropped, as far as it's read and not on its way. */
interface ReadFiles extends Attached {
  /** The ids of those on their way into the agent's workspace. */
  readonly uploads: ReadonlyArray<number>
  /** Sentences about what was left out; null for nothing. */
  readonly problem: string | null
}

const bytesOf = async (file: Blob): Promise<Uint8Array | null> => {
  try {
    return new Uint8Array(await file.arrayBuffer())
  } catch {
    // A folder, or a file that was moved away.
    return null
  }
}

/**
 * Attaches files: pictures as pictures as long as they fit into one frame of the gateway (`maxPayload` bytes), short texts
 * as text, and everything else on its way into the agent's workspace.
 */
export async function attachFiles(
  picked: ReadonlyArray<File>,
  before: Attached,
  sessionKey: string,
  maxPayload: number
): Promise<ReadFiles> {
  const images: Array<OutgoingImage> = []
  const files: Array<MessageFile> = []
  const uploads: Array<number> = []
  const unread: Array<string> = []
  const tooLarge: Array<string> = []
  const elsewhere: Array<string> = []
  for (const file of picked) {
    const picture = file.type.startsWith("image/") ? await readPicture(file) : null
    if (picture !== null && addsPicture([...before.images, ...images], picture, maxPayload)) {
      images.push(picture)
      continue
    }
    const bytes =
      picture === null && takesText([...before.files, ...files], file.size) ? await bytesOf(file) : undefined
    const text = bytes == null ? null : textIn(bytes)
    if (text !== null) files.push(textFile(file.name, file.size, text))
    else if (bytes === null || (await bytesOf(file.slice(0, 1))) === null) unread.push(file.name)
    else if (gatewayOfKey(sessionKey) !== PRIMARY) elsewhere.push(file.name)
    else if (isTooLarge(file.size)) tooLarge.push(file.name)
    else uploads.push(startUpload(sessionKey, file))
  }
  const sentences = [
    unread.length === 0
      ? ""
      : say("Not attached: {names}. It can't be read; a folder can't be sent.", { names: unread.join(", ") }),
    tooLarge.length === 0
      ? ""
      : say("Not attached: {names}. A file can have at most 100 MB.", { names: tooLarge.join(", ") }),
    elsewhere.length === 0
      ? ""
      : say(
          "Not attached: {names}. The agent is on another gateway's machine, so only pictures and text files of up to 64 KB can be sent.",
          { names: elsewhere.join(", ") }
        )
  ].filter((sentence) => sentence !== "")
  return { images, files, uploads, problem: sentences.length === 0 ? null : sentences.join(" ") }
}
