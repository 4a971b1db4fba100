import type { JsonObject } from "../wire/frames.ts"
import type { Generation } from "../wire/generations.ts"
import type { Part, SentMedia } from "./messages.ts"

/** The name of a file by its path. */
export const fileNameOf = (path: string): string => path.split("/").at(-1) ?? path

/** Bytes of a text in base64. */
export const sizeOf = (data: string): number => Buffer.byteLength(data, "base64")

/** How the newer generation lists a file an agent sent. */
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

/** The line by which an agent sends a file; the older generation keeps it as it was written. */
const line = ({ path }: SentMedia) => `MEDIA:${path}`

/**
 * The content of an answer. The newer generation has files as parts of their own once it serves them, and until then the
 * lines of those with absolute paths; the older one has the lines.
 */
export const partsView = (parts: ReadonlyArray<Part>, generation: Generation): ReadonlyArray<JsonObject> => {
  const views: Array<JsonObject> = []
  for (const part of parts) {
    const before = views.at(-1)
    if (part.type !== "media") views.push(part)
    else if (generation === "new" && part.isServed) views.push(block(part))
    else if (generation === "old" || part.path.startsWith("/")) {
      if (before?.type === "text") views[views.length - 1] = { type: "text", text: `${before.text}\n${line(part)}` }
      else views.push({ type: "text", text: line(part) })
    }
  }
  return views
}
