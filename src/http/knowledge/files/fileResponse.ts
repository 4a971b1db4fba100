import { DateTime } from "effect"
import { HttpServerResponse } from "effect/http"
import type { OpenFile } from "../../../services/knowledge/files/OpenFile.ts"
import { errorResponse } from "../../apiResponse.ts"
import { matchesEtag } from "../../platform/static/contentNegotiation.ts"

/** Bytes from `start` up to but not including `end`. */
interface ByteRange {
  readonly start: number
  readonly end: number
}

const SINGLE = /^bytes=(\d*)-(\d*)$/

/**
 * The single range in a Range header (RFC 9110 §14): `undefined` to send the whole file, also for several ranges
 * or an invalid header, and `unsatisfiable` if none of it exists.
 */
export const parseByteRange = (header: string | undefined, size: number): ByteRange | "unsatisfiable" | undefined => {
  const match = SINGLE.exec(header?.replaceAll(" ", "") ?? "")
  if (match === null) return undefined
  const [, first = "", last = ""] = match
  if (first === "" && last === "") return undefined
  if (first === "") {
    const length = Math.min(Number(last), size)
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size }
  }
  const start = Number(first)
  const end = last === "" ? size : Math.min(Number(last) + 1, size)
  if (last !== "" && Number(last) < start) return undefined
  return start >= size ? "unsatisfiable" : { start, end }
}

type RequestHeaders = Readonly<Record<string, string | undefined>>

/**
 * The response with an open file's bytes: 304 if the client has them, 206 for one range, otherwise the whole file. The
 * bytes aren't transformed, so ranges stay ranges of the file.
 */
export const fileResponse = (
  file: OpenFile,
  requestHeaders: RequestHeaders,
  contentType: string,
  ownHeaders: Readonly<Record<string, string>>
): HttpServerResponse.HttpServerResponse => {
  const etag = `"${file.version}"`
  const headers = {
    ...ownHeaders,
    etag,
    "accept-ranges": "bytes",
    "last-modified": DateTime.toDateUtc(DateTime.makeUnsafe(file.mtime)).toUTCString()
  }
  if (matchesEtag(requestHeaders["if-none-match"], etag)) return HttpServerResponse.empty({ status: 304, headers })
  const condition = requestHeaders["if-range"]
  const rangeHeader = condition === undefined || condition === etag ? requestHeaders.range : undefined
  const range = parseByteRange(rangeHeader, file.size)
  if (range === "unsatisfiable") {
    return errorResponse(416, "range_not_satisfiable", undefined, { "content-range": `bytes */${file.size}` })
  }
  const { start, end } = range ?? { start: 0, end: file.size }
  return HttpServerResponse.stream(file.bytes(start, end), {
    status: range === undefined ? 200 : 206,
    contentType,
    contentLength: end - start,
    headers: range === undefined ? headers : { ...headers, "content-range": `bytes ${start}-${end - 1}/${file.size}` }
  })
}

const UNSAFE_IN_NAME = /[^\w .,!()+=@-]/g

/** `Content-Disposition` that keeps the file's own name, whatever its characters (RFC 6266, RFC 8187). */
export const attachment = (name: string): string => {
  const plain = name.replace(UNSAFE_IN_NAME, "_")
  const coded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*!]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${coded}`
}

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
