import { Data } from "effect"
import { type CloseStatus, encodeClose } from "../../services/proxy/frames.ts"

/** A proxy session is over before both sides were joined; `farewell` is the close frame the browser gets. */
export class SessionEnd extends Data.TaggedError("SessionEnd")<{ readonly farewell: Buffer }> {
  static readonly with = (status: CloseStatus): SessionEnd => new SessionEnd({ farewell: encodeClose(status) })
}
