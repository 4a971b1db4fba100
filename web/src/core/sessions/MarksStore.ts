import type { HeldMark, SessionMark, SessionMarksState } from "../../../../src/contract/schema/session.ts"
import type { Observable } from "../common/Observable.ts"
import { type KnownMarks, type MarkChange, type MarksParts, type MarksStore, NO_MARKS } from "./markTypes.ts"

const PATH = "/api/sessions/marks"
/** A gateway tells of a change a moment after it was made. */
const TOLD_WITHIN = 2_000

/** What holds after a change, and whether the gateway keeps it. */
const readHeld = ({ keptBy, ...mark }: HeldMark) => ({ mark, isGateways: keptBy === "gateway" })

const readMarks = ({ marks, seenSince }: SessionMarksState): Omit<KnownMarks, "changing"> => ({
  marks: new Map(marks.map((mark) => [mark.sessionKey, mark])),
  seenSince: new Map(seenSince.map(({ at, gatewayId }) => [gatewayId, at]))
})

/** Keeps the marks as the console has them: read with each connection to it, and told by its events. */
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

  // What changes from here on is told by events, so an earlier answer could have missed something.
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
      // The gateway tells of what it keeps by its own row.
      if (!answer.value.isGateways) take(answer.value.mark)
      setTimeout(takeBack, TOLD_WITHIN)
      return { ok: true, value: true }
    },
    dispose: () => {
      for (const stop of stops) stop()
    }
  }
}
