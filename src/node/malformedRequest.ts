import { type Server, ServerResponse, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import type { HeaderRecord } from "./answerHead.ts"

const STATUS_OF: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408
}

/** The response to bytes that aren't an HTTP request, with the headers every response has. */
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

/** Data after a request that was the last of its connection. That request gets its response and nothing follows. */
const BEHIND_THE_LAST = "HPE_CLOSED_CONNECTION"

/** Whether a response to an earlier request is being sent, which mustn't be interrupted. */
const isAnswering = (socket: Duplex): boolean => {
  const answer: unknown = Reflect.get(socket, "_httpMessage")
  return answer instanceof ServerResponse && answer.headersSent
}

/** Answers requests the parser rejects, which never reach a route. */
export const answerMalformed = (server: Server, protections: HeaderRecord): void => {
  server.on("clientError", (error: Error & { readonly code?: string }, socket: Duplex) => {
    if (error.code === BEHIND_THE_LAST) return
    if (error.code === "ECONNRESET" || !socket.writable || isAnswering(socket)) socket.destroy()
    else socket.end(malformedAnswer(error.code, protections))
  })
}
