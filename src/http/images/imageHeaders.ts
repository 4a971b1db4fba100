/** Where the browser puts an answer without running anything in it. */
const EMBEDDED = new Set(["image", "empty"])

/**
 * Headers of an image. An SVG may hold scripts: it is boxed in, and saved instead of shown when a person opens it as a
 * page of its own (D23). `destination` is the request's `Sec-Fetch-Dest`.
 */
export const imageHeaders = (
  contentType: string,
  destination: string | undefined,
  disposition: string
): Readonly<Record<string, string>> => {
  const caching = { "cache-control": "private, max-age=3600, no-transform" }
  if (contentType !== "image/svg+xml") return caching
  const boxed = { ...caching, "content-security-policy": "sandbox", vary: "Sec-Fetch-Dest" }
  return destination === undefined || EMBEDDED.has(destination)
    ? boxed
    : { ...boxed, "content-disposition": disposition }
}
