import { Data, type Duration } from "effect"
import { CLOSE } from "./frames/closeStatus.ts"
import { type CloseStatus, encodeClose } from "./frames/frames.ts"
import { PROXY_LIMITS } from "./proxyLimits.ts"

/** Ends that aren't an accident: nobody waits long for the browser to take notice. */
const CUT: ReadonlySet<CloseStatus> = new Set([CLOSE.signedOut, CLOSE.tooManyPending, CLOSE.broken])

/** A proxy session ended before both sides were joined. */
export class SessionEnd extends Data.TaggedError("SessionEnd")<{
  /** The close frame for the browser. */
  readonly farewell: Buffer
  /** How long the browser has to take it. */
  readonly patience: Duration.Duration
}> {
  static readonly with = (status: CloseStatus): SessionEnd =>
    new SessionEnd({
      farewell: encodeClose(status),
      patience: CUT.has(status) ? PROXY_LIMITS.cut : PROXY_LIMITS.closing
    })
}
