import type { OutgoingImage } from "../core/chatTypes.ts"

/** Bytes of one picture; larger ones do not fit into a gateway frame with room to spare. */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024

/** The pictures among pasted or dropped things. */
export const imagesOf = (data: DataTransfer | null): ReadonlyArray<File> =>
  [...(data?.files ?? [])].filter((file) => file.type.startsWith("image/"))

/** Reads pictures for sending; those that are too large or unreadable are named in `problem`. */
export const readImages = async (
  files: ReadonlyArray<File>
): Promise<{ readonly images: ReadonlyArray<OutgoingImage>; readonly problem: string | null }> => {
  const images: Array<OutgoingImage> = []
  const refused: Array<string> = []
  for (const file of files) {
    const content = file.size > MAX_IMAGE_BYTES ? null : await base64(file)
    if (content === null) refused.push(file.name)
    else images.push({ mimeType: file.type, fileName: file.name, content })
  }
  const problem = refused.length === 0 ? null : `Not attached: ${refused.join(", ")}. A picture may have 10 MB at most.`
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
