import { type Server, ServerResponse, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import type { HeaderRecord } from "./headers.ts"

const STATUS_OF: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408
}

/** The whole answer to bytes that are no HTTP request, with the headers every answer carries (SPEC "Browser protections"). */
export const malformedAnswer = (code: string | undefined, protections: HeaderRecord): string => {
  const status = STATUS_OF[code ?? ""] ?? 400
  const text = STATUS_CODES[status] ?? "Bad Request"
  return [
    `HTTP/1.1 ${status} ${text}`,
    "connection: close",
    "content-type: text/plain; charset=utf-8",
    `content-length: ${text.length}`,
    ...Object.entries(protections).map(([name, value]) => `${name}: ${value}`),
    "",
    text
  ].join("\r\n")
}

/** Data behind a request that was to be the last of its connection; that one has its answer, and nothing follows it. */
const BEHIND_THE_LAST = "HPE_CLOSED_CONNECTION"

/** Whether an answer to an earlier request is on its way, which nothing may be put into the middle of. */
const isAnswering = (socket: Duplex): boolean => {
  const answer: unknown = Reflect.get(socket, "_httpMessage")
  return answer instanceof ServerResponse && answer.headersSent
}

/** Answers requests the parser refuses, which never reach a route. */
export const answerMalformed = (server: Server, protections: HeaderRecord): void => {
  server.on("clientError", (error: Error & { readonly code?: string }, socket: Duplex) => {
    if (error.code === BEHIND_THE_LAST) return
    if (error.code === "ECONNRESET" || !socket.writable || isAnswering(socket)) socket.destroy()
    else socket.end(malformedAnswer(error.code, protections))
  })
}
