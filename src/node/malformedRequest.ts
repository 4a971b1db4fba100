import type { Server } from "node:http"
import type { Duplex } from "node:stream"
import { ServerResponse, STATUS_CODES } from "./http.ts"
import type { HeaderRecord } from "./missingHeaders.ts"

const STATUS_OF: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408
}

/** An answer in ASCII, plain text unless a header says otherwise, as it's sent where there's no response to write to. */
export const lastAnswer = (status: number, text: string, headers: HeaderRecord): string => {
  const all = {
    connection: "close",
    "content-type": "text/plain; charset=utf-8",
    "content-length": String(text.length),
    ...headers
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Error"}`, ...lines, "", text].join("\r\n")
}

/** The response to bytes that aren't an HTTP request, with the headers every response has. */
export const malformedAnswer = (code: string | undefined, protections: HeaderRecord): string => {
  const status = STATUS_OF[code ?? ""] ?? 400
  return lastAnswer(status, STATUS_CODES[status] ?? "Bad Request", protections)
}

/** Data after a request that was the last of its connection. That request gets its response and nothing follows. */
const BEHIND_THE_LAST = "HPE_CLOSED_CONNECTION"

/** Whether a response to an earlier request is being sent, which mustn't be interrupted. */
export const hasResponse = (socket: Duplex): boolean => {
  const answer: unknown = Reflect.get(socket, "_httpMessage")
  return answer instanceof ServerResponse && answer.headersSent
}

/** Answers requests the parser rejects, which never reach a route. */
export const answerMalformed = (server: Server, protections: HeaderRecord): void => {
  server.on("clientError", (error: Error & { readonly code?: string }, socket: Duplex) => {
    if (error.code === BEHIND_THE_LAST) return
    if (error.code === "ECONNRESET" || !socket.writable || hasResponse(socket)) socket.destroy()
    else socket.end(malformedAnswer(error.code, protections))
  })
}
