import type { HeldMark, SessionMark, SessionMarksState } from "../../../../src/contract/schema/session.ts"
import { type ActionResult, createObservable, type Observable } from "../common/Observable.ts"
import type { ApiClient, EventStream } from "../link/apiTypes.ts"
import { type LoadedPart, loadedPart, NOT_LOADED } from "../link/loadedPart.ts"

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

interface MarksParts {
  readonly api: Pick<ApiClient, "request">
  readonly events: Pick<EventStream, "on" | "connected">
}

export const NO_MARKS: KnownMarks = { marks: new Map(), seenSince: new Map(), changing: new Map() }

const PATH = "/api/sessions/marks"
/** A gateway reports a change a moment after it was made. */
const EVENT_WITHIN = 2_000

/** What holds after a change, and whether the gateway keeps it. */
const readHeld = ({ keptBy, ...mark }: HeldMark) => ({ mark, isGateways: keptBy === "gateway" })

const readMarks = ({ marks, seenSince }: SessionMarksState): Omit<KnownMarks, "changing"> => ({
  marks: new Map(marks.map((mark) => [mark.sessionKey, mark])),
  seenSince: new Map(seenSince.map(({ at, gatewayId }) => [gatewayId, at]))
})

/** Keeps the marks as the console has them: read with each connection to it, and updated by its events. */
export function createMarksStore({ api, events }: MarksParts, state: Observable<KnownMarks | null>): MarksStore {
  const known = () => state.get() ?? NO_MARKS

  function take(mark: SessionMark): void {
    state.set({ ...known(), marks: new Map(known().marks).set(mark.sessionKey, mark) })
  }

  /** Shows a change at once; what is returned takes that back, unless there is a newer one. */
  function show(sessionKey: string, change: MarkChange): () => void {
    const shown = { ...known().changing.get(sessionKey), ...change }
    state.set({ ...known(), changing: new Map(known().changing).set(sessionKey, shown) })
    return () => {
      if (known().changing.get(sessionKey) !== shown) return
      const changing = new Map(known().changing)
      changing.delete(sessionKey)
      state.set({ ...known(), changing })
    }
  }

  async function read(): Promise<void> {
    const answer = await api.request("GET", PATH, readMarks)
    // Sessions are also shown without them; the next connection reads again.
    state.set({ ...known(), ...(answer.ok ? answer.value : {}) })
  }

  // Events report changes only from here on, so an earlier answer could have missed one.
  const follow = (isConnected: boolean) => {
    if (isConnected) void read()
  }
  const stops = [
    events.on("session.marked", ({ data }) => take(data)),
    events.on("gateway.changed", ({ data: { action } }) => {
      if (action === "added" || action === "removed") void read()
    }),
    events.connected.subscribe(follow)
  ]
  follow(events.connected.get())

  return {
    change: async (sessionKey, change) => {
      const takeBack = show(sessionKey, change)
      const answer = await api.request("PATCH", PATH, readHeld, { body: { sessionKey, ...change } })
      if (!answer.ok) {
        takeBack()
        return { ok: false, message: answer.error.message }
      }
      // The gateway reports what it keeps in its own row.
      if (!answer.value.isGateways) take(answer.value.mark)
      setTimeout(takeBack, EVENT_WITHIN)
      return { ok: true, value: true }
    },
    dispose: () => {
      for (const stop of stops) stop()
    }
  }
}

export interface SharedMarks extends LoadedPart<MarksStore> {
  /** Null until they were read once, or couldn't be. */
  readonly state: Observable<KnownMarks | null>
}

/** For a list of sessions without a console. */
export const NOT_SHARED: Pick<SharedMarks, "state" | "act"> = {
  state: createObservable<KnownMarks | null>(NO_MARKS),
  act: async () => NOT_LOADED
}

/** The marks of sessions. What reads and changes them begins with the first connection. */
export function createSharedMarks(parts: MarksParts): SharedMarks {
  const state = createObservable<KnownMarks | null>(null)
  const rest = loadedPart(parts.events, async () => createMarksStore(parts, state))
  return { state, ...rest }
}
