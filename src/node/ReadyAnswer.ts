import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"

/** Response headers by lower-case name. */
export type HeaderRecord = Readonly<Record<string, string>>

/** A response that's the same for everyone until something changes. */
export interface ReadyAnswer {
  readonly status: number
  readonly headers: HeaderRecord
  readonly body: Uint8Array | string | undefined
}

/** Sends the response; nothing may have been written yet. */
export type SendReady = (request: IncomingMessage, response: ServerResponse) => void

/** Largest body kept joined to its head: writing one buffer is cheaper than two. */
const JOINED_BYTES = 65_536

/** How long a head is reused, in milliseconds: it contains the date, to the second. */
const HEAD_MS = 500

/**
 * A head as Node writes and validates it, taken from a dummy response. Undefined if this Node stores it somewhere else;
 * then every response makes its own.
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
 * Prepares a response so that sending it costs next to nothing. Node validates and joins every header of every
 * response, which for the fifteen protection headers takes longer than everything else; here it happens twice a second.
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
    // Only the usual case for a browser is prepared: a connection that stays open.
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
