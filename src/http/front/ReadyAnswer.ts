import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import type { HeaderRecord } from "../headers.ts"

/** An answer that is the same for everybody until something changes. */
export interface ReadyAnswer {
  readonly status: number
  readonly headers: HeaderRecord
  readonly body: Uint8Array | string | undefined
}

/** What Node makes of a status and headers, but for the date it puts between the two. */
interface Head {
  readonly before: string
  readonly after: string
}

/** Sends one answer; nothing may have been written yet. */
export type SendReady = (request: IncomingMessage, response: ServerResponse) => void

const CONNECTION = "Connection: keep-alive\r\n"
const HEAD_END = "\r\n\r\n"

/**
 * The text of a head as Node writes and checks it, on an answer nobody gets. Undefined where this Node keeps it in
 * another place than those known here; then every head is made anew.
 */
const renderHead = ({ status, headers }: ReadyAnswer, keepAliveMs: number): Head | undefined => {
  const scratch = new ServerResponse(new IncomingMessage(new Socket()))
  scratch.sendDate = false
  scratch.shouldKeepAlive = true
  Reflect.set(scratch, "_keepAliveTimeout", keepAliveMs)
  scratch.writeHead(status, headers)
  const text: unknown = Reflect.get(scratch, "_header")
  if (typeof text !== "string" || !text.endsWith(HEAD_END) || Reflect.get(scratch, "_headerSent") !== false) return
  const at = text.indexOf(`\r\n${CONNECTION}`)
  return at < 0 ? undefined : { before: text.slice(0, at + 2), after: text.slice(at + 2) }
}

let date = ""
let dateUntil = 0

/** The Date header of now; it changes once a second. */
const dateHeader = (): string => {
  const now = Date.now()
  if (now >= dateUntil || now < dateUntil - 1000) {
    date = `Date: ${new Date(now).toUTCString()}\r\n`
    dateUntil = now - (now % 1000) + 1000
  }
  return date
}

/**
 * Prepares an answer so that sending it costs next to nothing. Node checks and joins every header of every answer, which
 * for the fifteen of SPEC "Browser protections" takes longer than all the rest; here that happens once.
 *
 * `keepAliveMs` is the server's `keepAliveTimeout`.
 */
export const prepareAnswer = (answer: ReadyAnswer, keepAliveMs: number): SendReady => {
  const { status, body } = answer
  const headers = Object.entries(answer.headers).flat()
  const head = renderHead(answer, keepAliveMs)
  return (request, response) => {
    // Only what is usual for a browser's connection was rendered: one that stays open.
    if (head !== undefined && response.shouldKeepAlive && request.httpVersionMinor === 1) {
      response.statusCode = status
      Reflect.set(response, "_header", head.before + dateHeader() + head.after)
    } else {
      response.writeHead(status, headers)
    }
    if (body === undefined || request.method === "HEAD") response.end()
    else response.end(body)
  }
}
