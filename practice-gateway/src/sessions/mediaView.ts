import type { JsonObject } from "../wire/frames.ts"
import type { Part, SentMedia } from "./messages.ts"

/** The name of a file by its path. */
export const fileNameOf = (path: string): string => path.split("/").at(-1) ?? path

/** Bytes of a text in base64. */
export const sizeOf = (data: string): number => Buffer.byteLength(data, "base64")

/** How the gateway lists a file an agent sent. */
const block = (media: SentMedia): JsonObject => {
  const { height, id, mimeType, path, sessionKey, width } = media
  const url = `/api/chat/media/outgoing/${encodeURIComponent(sessionKey)}/${id}/full`
  const [family] = mimeType.split("/")
  const sizeBytes = sizeOf(media.data)
  const name = fileNameOf(path)
  if (family === "image")
    return {
      type: "image",
      artifactId: `artifact_managed_image_${id}`,
      url,
      openUrl: url,
      alt: name,
      mimeType,
      width: width ?? null,
      height: height ?? null,
      sizeBytes
    }
  const artifactId = `artifact_managed_media_${id}`
  return family === "audio" || family === "video"
    ? { type: family, artifactId, url, openUrl: url, fileName: name, mimeType, playback: "native", sizeBytes }
    : { type: "attachment", attachment: { artifactId, url, kind: "document", label: name, mimeType, sizeBytes } }
}

/** The line by which an agent sends a file. */
const line = ({ path }: SentMedia) => `MEDIA:${path}`

/**
 * The content of an answer: files are parts of their own once they are served, and until then the lines of those with
 * absolute paths. `asLines` keeps all as the lines by which they were sent.
 */
export const partsView = (parts: ReadonlyArray<Part>, asLines = false): ReadonlyArray<JsonObject> => {
  const views: Array<JsonObject> = []
  for (const part of parts) {
    const before = views.at(-1)
    if (part.type !== "media") views.push(part)
    else if (!asLines && part.isServed) views.push(block(part))
    else if (asLines || part.path.startsWith("/")) {
      if (before?.type === "text") views[views.length - 1] = { type: "text", text: `${before.text}\n${line(part)}` }
      else views.push({ type: "text", text: line(part) })
    }
  }
  return views
}
