import type { SessionMark } from "../../../../src/contract/schema/session.ts"
import type { ActionResult } from "../common/readable.ts"
import type { ApiClient, EventStream } from "../link/apiTypes.ts"

/** A change of a session's marks; what isn't named stays. */
export type MarkChange = Partial<Omit<SessionMark, "sessionKey">>

/** What the console keeps of sessions for all devices. */
export interface KnownMarks {
  readonly marks: ReadonlyMap<string, SessionMark>
  /** By gateway, from when on responses count as unread; none where the console doesn't say. */
  readonly seenSince: ReadonlyMap<string, number>
  /** What this page is changing at the moment, ahead of whoever keeps it. */
  readonly changing: ReadonlyMap<string, MarkChange>
}

export interface MarksStore {
  /** Changes marks at the gateway or the console, whichever keeps them. */
  change(sessionKey: string, change: MarkChange): Promise<ActionResult>
  dispose(): void
}

export interface MarksParts {
  readonly api: Pick<ApiClient, "request">
  readonly events: Pick<EventStream, "on" | "connected">
}

export const NO_MARKS: KnownMarks = { marks: new Map(), seenSince: new Map(), changing: new Map() }
