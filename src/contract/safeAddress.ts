const LINK_SCHEMES = new Set(["http:", "https:", "mailto:"])
const IMAGE_NAME = /\.(png|jpe?g|gif|webp|svg|avif)$/i
const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:/i

/** A link's address in canonical form, null for everything but http, https and mailto. */
export function safeLink(href: string): string | null {
  try {
    const url = new URL(href.trim())
    return LINK_SCHEMES.has(url.protocol) ? url.href : null
  } catch {
    return null
  }
}

/**
 * The address an image may be loaded from: inline data, or an agent's file through the server; a relative path starts
 * in the agent's workspace, and `@` has no files here. Null for all others: a picture from elsewhere would tell its host who is reading, and
 * when.
 */
export function imageAddress(src: string, agent = "main"): string | null {
  if (/^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/.test(src)) return src
  const path = /^file:\/\/\//i.test(src) ? src.slice("file://".length) : src
  const isAbsolute = (path.startsWith("/") && !path.startsWith("//")) || path.startsWith("~/")
  const isRelative = /^[^/\\~?#]/.test(path) && !HAS_SCHEME.test(path)
  if (agent === "@" || !(isAbsolute || isRelative) || !IMAGE_NAME.test(path)) return null
  const whose = isRelative && agent !== "main" ? `&agent=${encodeURIComponent(agent)}` : ""
  return `/api/files?path=${encodeURIComponent(decoded(path).toWellFormed())}${whose}`
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
