import { type Server, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"

const STATUS_OF: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408
}

/** The whole answer to bytes that are no HTTP request, with the headers every answer carries (SPEC "Browser protections"). */
export const malformedAnswer = (code: string | undefined, policy: string): string => {
  const status = STATUS_OF[code ?? ""] ?? 400
  const text = STATUS_CODES[status] ?? "Bad Request"
  return [
    `HTTP/1.1 ${status} ${text}`,
    "Connection: close",
    "Content-Type: text/plain; charset=utf-8",
    `Content-Length: ${text.length}`,
    `Content-Security-Policy: ${policy}`,
    "X-Frame-Options: DENY",
    "X-Content-Type-Options: nosniff",
    "X-XSS-Protection: 1; mode=block",
    "Strict-Transport-Security: max-age=31536000; includeSubDomains",
    "Referrer-Policy: strict-origin-when-cross-origin",
    "Cache-Control: no-store",
    "",
    text
  ].join("\r\n")
}

/** Answers requests the parser refuses, which never reach a route. */
export const answerMalformed = (server: Server, policy: string): void => {
  server.on("clientError", (error: Error & { readonly code?: string }, socket: Duplex) => {
    if (error.code === "ECONNRESET" || !socket.writable) socket.destroy()
    else socket.end(malformedAnswer(error.code, policy))
  })
}
