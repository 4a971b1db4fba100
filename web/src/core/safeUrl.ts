const LINK_SCHEMES = new Set(["http:", "https:", "mailto:"])
const IMAGE_NAME = /\.(png|jpe?g|gif|webp|svg|avif)$/i

/** The address of a link in canonical form, null for everything but http, https and mailto. */
export function safeLink(href: string): string | null {
  try {
    const url = new URL(href.trim())
    return LINK_SCHEMES.has(url.protocol) ? url.href : null
  } catch {
    return null
  }
}

/**
 * The address an image may be loaded from: inline data, or a file of the agent through the server (SPEC "Image
 * serving"). Null for all others: a picture from elsewhere would tell its host who reads when.
 */
export function safeImage(src: string): string | null {
  if (/^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/.test(src)) return src
  const path = /^file:\/\/\//i.test(src) ? src.slice("file://".length) : src
  const isLocal = (path.startsWith("/") && !path.startsWith("//")) || path.startsWith("~/")
  return isLocal && IMAGE_NAME.test(path) ? `/api/files?path=${encodeURIComponent(decoded(path))}` : null
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
