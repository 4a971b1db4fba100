import type { OutgoingImage } from "../core/chatTypes.ts"

/** Bytes of one picture; larger ones do not fit into a gateway frame with room to spare. */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024

/** The pictures among pasted or dropped things. */
export const imagesOf = (data: DataTransfer | null): ReadonlyArray<File> =>
  [...(data?.files ?? [])].filter((file) => file.type.startsWith("image/"))

/** Reads pictures for sending; what is no picture, too large or unreadable is named in `problem`. */
export const readImages = async (
  files: ReadonlyArray<File>
): Promise<{ readonly images: ReadonlyArray<OutgoingImage>; readonly problem: string | null }> => {
  const images: Array<OutgoingImage> = []
  const refused: Array<string> = []
  for (const file of files) {
    const fits = file.type.startsWith("image/") && file.size <= MAX_IMAGE_BYTES
    const content = fits ? await base64(file) : null
    if (content === null) refused.push(file.name)
    else images.push({ mimeType: file.type, fileName: file.name, content })
  }
  const problem =
    refused.length === 0
      ? null
      : `Not attached: ${refused.join(", ")}. Only pictures of at most 10 MB each can be sent.`
  return { images, problem }
}

const base64 = (file: File): Promise<string | null> =>
  new Promise((resolve) => {
    const reader = new FileReader()
    reader.onerror = () => resolve(null)
    reader.onload = () => {
      const url = typeof reader.result === "string" ? reader.result : ""
      const comma = url.indexOf(",")
      resolve(comma === -1 ? null : url.slice(comma + 1))
    }
    reader.readAsDataURL(file)
  })
