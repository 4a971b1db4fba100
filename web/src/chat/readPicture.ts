import { fitsFrame, fitted, SMALL_BYTES } from "../core/composer/imageSize.ts"
import type { OutgoingImage } from "../core/link/Environment.ts"

/** Maximum pictures per message. */
const MAX_IMAGES = 20

/** Whether another picture goes with a message: it has to fit into one frame of the gateway (`maxPayload` bytes). */
export const addsPicture = (
  before: ReadonlyArray<OutgoingImage>,
  { content }: OutgoingImage,
  maxPayload: number
): boolean =>
  before.length < MAX_IMAGES && fitsFrame([...before.map((image) => image.content.length), content.length], maxPayload)

/** The picture as is if it is small or animated, otherwise redrawn; null if it isn't a picture. */
export const readPicture = async (file: File): Promise<OutgoingImage | null> => {
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
