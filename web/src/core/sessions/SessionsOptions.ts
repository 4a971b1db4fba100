import type { Readable } from "../common/readable.ts"
import type { GatewayLink } from "../link/linkTypes.ts"
import type { SharedMarks } from "./sharedMarks.ts"

/** What a gateway's sessions depend on besides its link. */
export interface SessionsOptions {
  /** The sessions whose agents wait for a person. */
  readonly waiting: Readable<ReadonlySet<string>>
  /** Why it isn't known who waits; undefined until that was read. */
  readonly waitingFailure?: Readable<string | null | undefined>
  /** When each session's newest request was made that nobody allowed. */
  readonly denied?: Readable<ReadonlyMap<string, number>>
  /** Where a session is asked for: that of another gateway, whose rows are shown with these, is asked for there. */
  readonly linkOf?: (key: string) => GatewayLink
  /** What the console keeps of sessions. */
  readonly shared?: Pick<SharedMarks, "state" | "act">
  /** Its rows are shown with those of the primary gateway. */
  readonly isAdded?: boolean
}
