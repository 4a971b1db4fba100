import type { RawRequest } from "./sendRaw.ts"

/** What a request consists of besides its target. */
export interface Sent {
  readonly style: string
  readonly method: string
  readonly target: string
  readonly raw: RawRequest
}

/** A body with which most routes that write would write something. */
const BODY = JSON.stringify({
  id: "odd",
  title: "odd",
  name: "odd",
  text: "odd",
  content: "odd",
  note: "odd",
  label: "odd",
  path: "odd.md",
  key: "agent:main:odd",
  sessionKey: "agent:main:odd",
  url: "http://127.0.0.1:9",
  token: "odd",
  schedule: "0 7 * * *",
  rights: "all",
  level: "info"
})
const UPGRADE = [
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
]
const LENGTH = [`Content-Length: ${BODY.length}`, "Content-Type: application/json"]

interface Style {
  readonly headers: ReadonlyArray<string>
  readonly body?: string
  /** A body that is sent only after 100. */
  readonly expected?: string
  readonly isAlone?: boolean
}

const STYLES = {
  bare: { headers: [] },
  empty: { headers: ["Content-Length: 0"] },
  body: { headers: LENGTH, body: BODY },
  chunks: {
    headers: ["Transfer-Encoding: chunked"],
    body: `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`
  },
  upgrade: { headers: UPGRADE, isAlone: true },
  // A client that gets 100 has been let in.
  expect: { headers: [...LENGTH, "Expect: 100-continue"], expected: BODY, isAlone: true },
  both: { headers: [...UPGRADE, "Expect: 100-continue"], isAlone: true }
} as const satisfies Readonly<Record<string, Style>>

export type StyleName = keyof typeof STYLES

export type Way = readonly [method: string, style: StyleName]

/** Everything that a target is sent with. */
export const WAYS: readonly [Way, ...ReadonlyArray<Way>] = [
  ["GET", "bare"],
  ["POST", "body"],
  ["GET", "upgrade"],
  ["POST", "empty"],
  ["GET", "expect"],
  ["POST", "expect"],
  ["POST", "chunks"],
  ["POST", "upgrade"],
  ["GET", "both"],
  ["HEAD", "bare"],
  ["OPTIONS", "bare"],
  ["PUT", "body"],
  ["PATCH", "body"],
  ["DELETE", "empty"],
  ["CONNECT", "bare"]
]

/** A target that neither the parser nor the console has a reason to end the connection for. */
const isOrdinary = (target: string): boolean => /^\/[\x21-\x7e]{0,4000}$/.test(target)

/** A request for a target, one character a byte, with these headers besides; impatient is who sends an expected body at once. */
export const requestFor = (
  target: string,
  [method, style]: Way,
  headers: ReadonlyArray<string>,
  isImpatient = false
): Sent => {
  const { headers: own, body = "", expected = "", isAlone = false }: Style = STYLES[style]
  const sent = isImpatient ? body + expected : body
  const bytes = [`${method} ${target} HTTP/1.1`, ...headers, ...own, "", sent].join("\r\n")
  return {
    style,
    method,
    target,
    raw: { method, bytes, isShared: !isAlone && method !== "CONNECT" && isOrdinary(target) }
  }
}

/** A request in the message of a failing test. */
export const labelOf = ({ method, target, style }: Sent): string =>
  `${method} ${JSON.stringify(target.length > 120 ? `${target.slice(0, 120)}…` : target)} (${style})`
