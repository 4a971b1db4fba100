import type { IncomingMessage, ServerResponse } from "node:http"
import { endOfHead, type HeaderRecord, standingHeaders, statusLine } from "./answerHead.ts"

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

/**
 * Prepares a response so that sending it costs next to nothing. Node validates and joins every header of every
 * response, which for the fifteen protection headers takes longer than everything else; here it happens once.
 */
export const prepareAnswer = (answer: ReadyAnswer): SendReady => {
  const { status, body } = answer
  const headers = Object.entries(answer.headers).flat()
  const { lines } = standingHeaders(answer.headers)
  const joins = body instanceof Uint8Array && body.length <= JOINED_BYTES
  let end: string | undefined
  let head: string | undefined
  let joined: Buffer | undefined
  const currentHead = () => {
    const current = endOfHead()
    if (end !== current) {
      end = current
      head = end === undefined ? undefined : `${statusLine(status)}${lines}${end}`
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
