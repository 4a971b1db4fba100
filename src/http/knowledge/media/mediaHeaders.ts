import { attachment } from "../files/fileResponse.ts"

/** Destinations in which the browser doesn't run anything in a response. */
const EMBEDDED = new Set(["image", "audio", "video", "empty"])

/** Types that are safe to open as a page, because nothing in them runs. */
const PLAIN = /^(?:image\/(?!svg)|audio\/|video\/)/

/**
 * Headers of a conversation's file. Its contents aren't trusted: nothing in it may run or load anything, and types that
 * can contain scripts are downloaded instead of shown if opened directly. `destination` is the request's
 * `Sec-Fetch-Dest`.
 */
export const mediaHeaders = (
  contentType: string,
  destination: string | undefined,
  name: string
): Readonly<Record<string, string>> => {
  const boxed = {
    "cache-control": "private, max-age=3600, no-transform",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "same-origin",
    vary: "Sec-Fetch-Dest"
  }
  const isShown = PLAIN.test(contentType) || (destination !== undefined && EMBEDDED.has(destination))
  return isShown ? boxed : { ...boxed, "content-disposition": attachment(name) }
}
