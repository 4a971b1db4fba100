/** How a file is shown. */
export type FileKind = "text" | "image" | "pdf"

const IMAGES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  bmp: "image/bmp",
  ico: "image/x-icon",
  svg: "image/svg+xml"
}

/** The lower-case file extension; empty without one. */
export const extensionOf = (name: string): string => {
  const dot = name.lastIndexOf(".")
  return dot <= 0 ? "" : name.slice(dot + 1).toLowerCase()
}

/** The media type of a picture the browser can draw; undefined for anything else. */
export const imageType = (name: string): string | undefined => {
  const extension = extensionOf(name)
  return Object.hasOwn(IMAGES, extension) ? IMAGES[extension] : undefined
}

/** How a file of this name is shown at first. */
export const kindOfFile = (name: string): FileKind => {
  if (extensionOf(name) === "pdf") return "pdf"
  return imageType(name) === undefined ? "text" : "image"
}
