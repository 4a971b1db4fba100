import { DateTime } from "effect"
import { HttpServerResponse } from "effect/http"
import type { OpenFile } from "../../../services/knowledge/files/OpenFile.ts"
import { errorResponse } from "../../apiResponse.ts"
import { matchesEtag } from "../../platform/static/contentNegotiation.ts"
import { parseByteRange } from "./byteRange.ts"

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
