import { IncomingMessage, ServerResponse, STATUS_CODES, validateHeaderName, validateHeaderValue } from "node:http"
import { Socket } from "node:net"

/** Headers by lower-case name. */
export type HeaderRecord = Readonly<Record<string, string>>

/** Milliseconds a connection may be idle between two requests; Node's default, and every head tells it. */
export const KEEP_ALIVE_MS = 5000

/** How long the end of a head is reused, in milliseconds: it contains the date, to the second. */
const REUSED_MS = 500

const lineOf = (name: string, value: string): string => `${name}: ${value}\r\n`

/** Headers that many answers have, checked and written once. */
export interface StandingHeaders {
  readonly record: HeaderRecord
  readonly lines: string
}

/** Throws if Node would refuse one of them. */
export const standingHeaders = (record: HeaderRecord): StandingHeaders => {
  let lines = ""
  for (const [name, value] of Object.entries(record)) {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    lines += lineOf(name, value)
  }
  return { record, lines }
}

/** The first line of an answer. */
export const statusLine = (status: number): string => `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "unknown"}\r\n`

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
export const endOfHead = (): string | undefined => {
  const now = performance.now()
  if (now - renderedAt >= REUSED_MS) {
    end = renderEnd()
    renderedAt = now
  }
  return end
}

/** Headers that say how the answer is sent, or may stand more than once: Node has rules of its own for them. */
const RULED = new Set([
  "connection",
  "content-disposition",
  "date",
  "expect",
  "keep-alive",
  "set-cookie",
  "trailer",
  "transfer-encoding"
])

/** Answers without a body. */
const BODILESS = new Set([204, 205, 304])

/**
 * The head of an answer of a known length on a connection that stays open, as Node would write it: its own headers,
 * more of them, and those that stand. Undefined where Node has to decide: two of them have one name, or are ruled by it.
 */
export const headOf = (
  status: number,
  own: Readonly<Record<string, unknown>>,
  more: ReadonlyArray<HeaderRecord>,
  standing: StandingHeaders
): string | undefined => {
  const end = endOfHead()
  if (end === undefined || status < 200 || BODILESS.has(status) || own["content-length"] === undefined) return undefined
  let lines = ""
  for (const name in own) {
    const value = own[name]
    if (typeof value !== "string" || standing.record[name] !== undefined || RULED.has(name)) return undefined
    validateHeaderName(name)
    validateHeaderValue(name, value)
    lines += lineOf(name, value)
  }
  for (const record of more) {
    for (const name in record) {
      const value = record[name] ?? ""
      if (own[name] !== undefined) return undefined
      validateHeaderValue(name, value)
      lines += lineOf(name, value)
    }
  }
  return `${statusLine(status)}${lines}${standing.lines}${end}`
}
