import { posix } from "node:path"
import type { RawAnswer } from "./AnswerReader.ts"
import type { Sent } from "./requestStyles.ts"

/**
 * What a target is: a path, the absolute form for the console's own address, neither, or something a console may take
 * for either.
 */
export type TargetKind = "path" | "own" | "neither" | "unclear"

/** The reference for every target: the console's host and port, and the bytes of its page. */
export interface Door {
  readonly host: string
  readonly index: string
  /** A proxy in front parses targets in its own way, and passes on the result. */
  readonly isBehindProxy?: boolean
}

/** An open route answers anybody who names it, and with nothing but this. */
const OPEN_ANSWERS: Readonly<Record<string, RegExp>> = {
  "GET /health": /^\{"status":"ok","uptime":[\d.]+,"gateway":"(?:ok|unreachable)"\}$/,
  "GET /healthz": /^\{"status":"ok"\}$/,
  "GET /readyz":
    /^\{"status":"ok","checks":\[(?:\{"name":"\w+","ok":(?:true|false),"required":(?:true|false)\},?){3}\]\}$/,
  "GET /api/version": /^\{"version":"[^"]+","name":"[^"]+"\}$/,
  "GET /api/auth/status": /^\{"authEnabled":true,"authenticated":false\}$/,
  "POST /api/auth/logout": /^\{"ok":true\}$/
}
/** The response to an announced body, before it's sent, on routes that read one without a session. */
const READS_BODIES = new Set(["/api/auth/login", "/api/auth/logout"])

const LOOPBACK = /^(?:localhost\.?|127(?:\.\d+){3}|\[::1\]|\[::ffff:7f00:1\])$/

/** A request line may have more spaces than its two. */
const trimmed = (target: string): string => target.replace(/^ +| +$/g, "")

/** Reads a target without the console's own rules. */
export const kindOf = (spaced: string, host: string): TargetKind => {
  const target = trimmed(spaced)
  if (target.startsWith("/")) return "path"
  const authority = /^https?:\/\/([^/?#\\]*)/i.exec(target)?.[1]
  if (authority === undefined || !URL.canParse(target)) return "neither"
  if (authority === host && /^http:\/\/[^/]+\/[\x21-\x7e]*$/i.test(target)) return "own"
  return LOOPBACK.test(new URL(target).hostname) ? "unclear" : "neither"
}

const decoded = (path: string): string => {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** The path a target names by one reading: without host, query and parameters, its escapes read once. */
const pathOf = (spaced: string): string => {
  const target = trimmed(spaced)
  if (target.startsWith("/")) return decoded(target.replace(/[?#;].*$/s, ""))
  const path = /^[a-z][a-z\d+.-]*:(?:\/\/[^/?#\\]*)?([^?#;]*)/i.exec(target)?.[1] ?? ""
  return posix.normalize(decoded(path.replaceAll("\\", "/")))
}

/** What a malformed target may get: 400, or that it's too long. */
const MALFORMED = new Set([400, 414, 431])

const refuses = (status: number): boolean => (status >= 400 && status < 500) || status === 501 || status === 505

/** An answer without a body to a request that would have got the page. */
const isIndexHead = ({ head }: RawAnswer, index: string): boolean =>
  new RegExp(`^content-length: *${index.length}\\r?$`, "im").test(head) && /^content-type: *text\/html/im.test(head)

/**
 * What is wrong with an answer to somebody who isn't signed in, if anything: there may be a refusal, the end of the
 * connection, the page's index or an open route's answer to who named it; a target that is neither a path nor this
 * host's is refused as malformed.
 */
export const complaintAbout = (sent: Sent, answer: RawAnswer, door: Door): string | undefined => {
  const { method } = sent
  const { status, body } = answer
  if (status === 0) return undefined
  if (status === -1) return "no answer"
  const { host, index, isBehindProxy = false } = door
  // HAProxy also takes the tabs around a target away.
  const target = isBehindProxy ? sent.target.trim() : sent.target
  const kind = isBehindProxy ? "unclear" : method === "OPTIONS" && target === "*" ? "path" : kindOf(target, host)
  const isNamed = kind !== "neither"
  const path = isNamed ? pathOf(target) : ""
  if (kind === "neither" && method !== "CONNECT") {
    return MALFORMED.has(status) ? undefined : `${status} ${JSON.stringify(body.slice(0, 60))} instead of 400`
  }
  if (refuses(status) || (status === 100 && READS_BODIES.has(path))) return undefined
  if (status === 204 && method === "OPTIONS") return undefined
  if (
    status === 200 &&
    method === "HEAD" &&
    (isIndexHead(answer, index) || OPEN_ANSWERS[`GET ${path}`] !== undefined)
  ) {
    return undefined
  }
  if (status === 200 && method === "GET" && body === index) return undefined
  if (status === 200 && OPEN_ANSWERS[`${method} ${path}`]?.test(body) === true) return undefined
  return `${status} ${JSON.stringify(body.slice(0, 60))}`
}
