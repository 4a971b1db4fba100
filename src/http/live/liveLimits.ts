import { Duration } from "effect"
import type { Why } from "../../contract/failure.ts"
import type { LiveCode } from "../../contract/failures/live.ts"
import type { LiveTopic, Right } from "../../contract/schema/live.ts"

/** Numbers of `/api/live`; sizes in bytes. */
export const LIVE_LIMITS = {
  /** Sockets that are open at once, from their upgrade on. */
  sockets: 200,
  /** Channels of one socket. */
  channels: 32,
  /** Largest frame from a client. */
  frameBytes: 65_536,
  /** Frames from a client: so many at once, and so many a second. */
  burst: 60,
  perSecond: 30,
  /** Above this much unsent, a socket gets no patches. */
  fullBytes: 262_144,
  /** Below this much unsent, it gets the state of each channel that has moved meanwhile. */
  drainedBytes: 65_536,
  /** How much of events may wait for one socket. */
  eventBytes: 1_048_576,
  /** From this length on, a frame is deflated. */
  deflateBytes: 1024,
  hello: Duration.seconds(10),
  tick: Duration.seconds(25),
  /** Ticks without a sign of life after which a socket is ended; a client that only reads slowly may take long. */
  silentTicks: 5,
  /** How long a client has to take the last frames and close. */
  farewell: Duration.seconds(10),
  /** The same for one that was too slow. */
  slowFarewell: Duration.seconds(30)
} as const

/** The right that a topic needs, and the one for saying what a person looks at. */
export const TOPIC_RIGHTS = {
  events: "read",
  gateways: "read",
  sessions: "read",
  conversation: "read"
} as const satisfies Record<LiveTopic, Right>
export const LOOK_RIGHT: Right = "talk"

/** Why a socket ends: the close code, and what is said before. */
export interface LiveEnd {
  readonly code: number
  readonly why: Why
  readonly retryAfterMs?: number
}

const end = (code: number, why: LiveCode): LiveEnd => ({ code, why: { code: why } })

/** All ends of a socket that the console decides on. */
export const LIVE_ENDS = {
  stopping: end(1001, "STOPPING"),
  badFrame: end(4400, "BAD_FRAME"),
  signedOut: end(4401, "SIGNED_OUT"),
  otherVersion: end(4406, "OTHER_VERSION"),
  noHello: end(4408, "NO_HELLO"),
  tooManySockets: end(4409, "TOO_MANY_SOCKETS"),
  tooSlow: end(4413, "TOO_SLOW"),
  tooManyFrames: end(4429, "TOO_MANY_FRAMES")
} as const
