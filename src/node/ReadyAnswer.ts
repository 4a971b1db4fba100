import type * as Http from "node:http"
import { Socket } from "node:net"
import { IncomingMessage, ServerResponse, STATUS_CODES, validateHeaderName, validateHeaderValue } from "./http.ts"
import type { HeaderRecord } from "./missingHeaders.ts"

/** A response that's the same for everyone until something changes. */
export interface ReadyAnswer {
  readonly status: number
  readonly headers: HeaderRecord
  readonly body: Uint8Array | string | undefined
}

/** Sends the response; nothing may have been written yet. */
export type SendReady = (request: Http.IncomingMessage, response: Http.ServerResponse) => void

/** Milliseconds a connection may be idle between two requests; Node's default, which every response states. */
export const KEEP_ALIVE_MS = 5000

/** How long the end of a head is reused, in milliseconds: it contains the date, to the second. */
const REUSED_MS = 500

/** Largest body kept joined to its head: writing one buffer is cheaper than two. */
const JOINED_BYTES = 65_536

const lineOf = (name: string, value: string): string => `${name}: ${value}\r\n`

/** The status line and the headers; throws if Node would refuse one of them. */
const startOfHead = ({ headers, status }: ReadyAnswer): string => {
  const lines = Object.entries(headers).map(([name, value]) => {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    return lineOf(name, value)
  })
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "unknown"}\r\n${lines.join("")}`
}

const LENGTH = lineOf("content-length", "0")

/**
 * What Node itself adds to an answer on a connection that stays open, taken from a dummy answer. Undefined if this Node
 * keeps a head somewhere else.
 */
const renderEnd = (): string | undefined => {
  const request = new IncomingMessage(new Socket())
  request.httpVersionMajor = 1
  request.httpVersionMinor = 1
  const scratch = new ServerResponse(request)
  scratch.shouldKeepAlive = true
  Reflect.set(scratch, "_keepAliveTimeout", KEEP_ALIVE_MS)
  scratch.writeHead(200, ["content-length", "0"])
  const text: unknown = Reflect.get(scratch, "_header")
  const isWhole = typeof text === "string" && text.endsWith("\r\n\r\n") && Reflect.get(scratch, "_headerSent") === false
  return isWhole ? text.slice(text.indexOf(LENGTH) + LENGTH.length) : undefined
}

let end: string | undefined
let renderedAt = Number.NEGATIVE_INFINITY

/** The same, made twice a second. */
const endOfHead = (): string | undefined => {
  const now = performance.now()
  if (now - renderedAt >= REUSED_MS) {
    end = renderEnd()
    renderedAt = now
  }
  return end
}

/**
 * Prepares a response so that sending it costs next to nothing. Node validates and joins every header of every
 * response; here it happens once. A file takes 20 µs of processor time with it, 30 µs without.
 */
export const prepareAnswer = (answer: ReadyAnswer): SendReady => {
  const { status, body } = answer
  const headers = Object.entries(answer.headers).flat()
  const start = startOfHead(answer)
  const joins = body instanceof Uint8Array && body.length <= JOINED_BYTES
  let end: string | undefined
  let head: string | undefined
  let joined: Buffer | undefined
  const currentHead = () => {
    const current = endOfHead()
    if (end !== current) {
      end = current
      head = end === undefined ? undefined : `${start}${end}`
      joined = joins && head !== undefined ? Buffer.concat([Buffer.from(head, "latin1"), body]) : undefined
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
