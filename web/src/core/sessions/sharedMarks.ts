import { createObservable, type Observable } from "../common/Observable.ts"
import { type LoadedPart, loadedPart, NOT_LOADED } from "../link/loadedPart.ts"
import { createMarksStore } from "./MarksStore.ts"
import { type KnownMarks, type MarksParts, type MarksStore, NO_MARKS } from "./markTypes.ts"

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
