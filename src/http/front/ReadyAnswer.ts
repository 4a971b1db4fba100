import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import type { HeaderRecord } from "../headers.ts"

/** An answer that is the same for everybody until something changes. */
export interface ReadyAnswer {
  readonly status: number
  readonly headers: HeaderRecord
  readonly body: Uint8Array | string | undefined
}

/** Sends one answer; nothing may have been written yet. */
export type SendReady = (request: IncomingMessage, response: ServerResponse) => void

/** Longest body that is kept joined to its head: one write of one buffer costs less than two pieces. */
const JOINED_BYTES = 65_536

/** Milliseconds a head is used before it is made again: it tells the date to the second. */
const HEAD_MS = 500

/**
 * The text of a head as Node writes and checks it, on an answer nobody gets. Undefined where this Node keeps it in
 * another place than the one known here; then every answer makes its own.
 */
const renderHead = ({ status, headers }: ReadyAnswer, keepAliveMs: number): string | undefined => {
  const request = new IncomingMessage(new Socket())
  request.httpVersionMajor = 1
  request.httpVersionMinor = 1
  const scratch = new ServerResponse(request)
  scratch.shouldKeepAlive = true
  Reflect.set(scratch, "_keepAliveTimeout", keepAliveMs)
  scratch.writeHead(status, headers)
  const text: unknown = Reflect.get(scratch, "_header")
  const isWhole = typeof text === "string" && text.endsWith("\r\n\r\n") && Reflect.get(scratch, "_headerSent") === false
  return isWhole ? text : undefined
}

/**
 * Prepares an answer so that sending it costs next to nothing. Node checks and joins every header of every answer, which
 * for the fifteen of SPEC "Browser protections" takes longer than all the rest; here that happens twice a second.
 *
 * `keepAliveMs` is the server's `keepAliveTimeout`.
 */
export const prepareAnswer = (answer: ReadyAnswer, keepAliveMs: number): SendReady => {
  const { status, body } = answer
  const headers = Object.entries(answer.headers).flat()
  const joins = body instanceof Uint8Array && body.length <= JOINED_BYTES
  let head: string | undefined
  let joined: Buffer | undefined
  let renderedAt = Number.NEGATIVE_INFINITY
  const currentHead = () => {
    const now = performance.now()
    if (now - renderedAt >= HEAD_MS) {
      head = renderHead(answer, keepAliveMs)
      joined = joins && head !== undefined ? Buffer.concat([Buffer.from(head, "latin1"), body]) : undefined
      renderedAt = now
    }
    return head
  }
  return (request, response) => {
    // Only what is usual for a browser's connection is rendered: one that stays open.
    const text = response.shouldKeepAlive && request.httpVersionMinor === 1 ? currentHead() : undefined
    if (text === undefined) {
      response.writeHead(status, headers)
    } else {
      response.statusCode = status
      Reflect.set(response, "_header", text)
    }
    if (body === undefined || request.method === "HEAD") {
      response.end()
    } else if (text !== undefined && joined !== undefined) {
      Reflect.set(response, "_headerSent", true)
      response.end(joined)
    } else {
      response.end(body)
    }
  }
}
