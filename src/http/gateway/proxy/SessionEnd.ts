import { Data } from "effect"
import { type CloseStatus, encodeClose } from "./frames/frames.ts"

/** A proxy session ended before both sides were joined; `farewell` is the close frame for the browser. */
export class SessionEnd extends Data.TaggedError("SessionEnd")<{ readonly farewell: Buffer }> {
  static readonly with = (status: CloseStatus): SessionEnd => new SessionEnd({ farewell: encodeClose(status) })
}
