import { fitsFrame, fitted, SMALL_BYTES } from "../core/composer/imageSize.ts"
import type { OutgoingImage } from "../core/conversation/chatTypes.ts"

/** The result of reading picked, pasted or dropped files. */
export interface ReadImages {
  readonly images: ReadonlyArray<OutgoingImage>
  /** A sentence about what was left out. */
  readonly problem: string | null
}

/** Maximum pictures per message. */
const MAX_IMAGES = 20

/**
 * Reads pictures for sending, scaling down large ones, as long as a message fits into one frame of the gateway
 * (`maxPayload` bytes). Files that aren't pictures the browser can read, or don't fit, are named in `problem`.
 */
export const readImages = async (
  files: ReadonlyArray<File>,
  before: ReadonlyArray<OutgoingImage>,
  maxPayload: number
): Promise<ReadImages> => {
  const images: Array<OutgoingImage> = []
  const unread: Array<string> = []
  const tooMuch: Array<string> = []
  for (const file of files) {
    const image = await readImage(file)
    const lengths = [...before, ...images].map(({ content }) => content.length)
    if (image === null) unread.push(file.name)
    else if (lengths.length >= MAX_IMAGES || !fitsFrame([...lengths, image.content.length], maxPayload))
      tooMuch.push(file.name)
    else images.push(image)
  }
  const sentences = [
    unread.length === 0 ? "" : `Not attached: ${unread.join(", ")}. Only pictures can be sent.`,
    tooMuch.length === 0 ? "" : `Not attached: ${tooMuch.join(", ")}. That's too much for one message.`
  ]
  const problem = sentences.filter((sentence) => sentence !== "").join(" ")
  return { images, problem: problem === "" ? null : problem }
}

/** The picture as is if it is small or animated, otherwise redrawn; null if it isn't a picture. */
const readImage = async (file: File): Promise<OutgoingImage | null> => {
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
