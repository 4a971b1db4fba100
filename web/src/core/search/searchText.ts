import { say, sayCount } from "../language/say.ts"
import type { SearchState } from "./SearchStore.ts"
import { valueOf } from "./searchWords.ts"

/** How far the index is, such as "43 %"; empty if nobody knows. */
export const progressText = (progress: number | null): string =>
  progress === null ? "" : say("{percent} %", { percent: Math.floor(progress * 100) })

type IndexState = Pick<SearchState, "isBuilding" | "progress" | "paused">

/** What a paused index needs, in a sentence of its own. */
export const pausedText = (why: string): string => say("The index is paused: {why}.", { why })

const withIndex = (found: string, { isBuilding, paused, progress }: IndexState): string => {
  const share = progressText(progress)
  if (paused !== null) return say("{found} · index paused", { found })
  if (!isBuilding) return found
  return share === ""
    ? say("{found} · index being built", { found })
    : say("{found} · index being built, {share}", { found, share })
}

const countText = (count: number, isAll: boolean): string => {
  if (count === 0) return say("Nothing found")
  return isAll
    ? sayCount(count, "{count} result", "{count} results")
    : sayCount(count, "{count}+ result", "{count}+ results")
}

/** Hits stand by conversation and place, so the newest of all needn't be the first one after the next heading. */
const withOrder = (found: string, { hits, text }: SearchState): string => {
  const groups = new Set(hits.map(({ kind, sessionKey }) => (kind === "message" ? sessionKey : kind)))
  return groups.size > 1 && valueOf(text, "sort") === ""
    ? say("{found} · newest first in each group", { found })
    : found
}

/** The state of a search in few words, for the line above its results. */
export const searchText = (state: SearchState): string => {
  const { status, text, hits, cursor } = state
  if (status === "failed") return ""
  if (status === "idle") return text.trim() === "" ? "" : say("Add a word to look for")
  if (status === "loading") return say("Searching…")
  return withIndex(withOrder(countText(hits.length, cursor === null), state), state)
}

/** What to do when nothing was found, in a sentence. */
export const nothingFoundText = ({ isBuilding, progress }: Omit<IndexState, "paused">): string => {
  const share = progressText(progress)
  if (!isBuilding)
    return say("Check the spelling, use fewer words or filters, or only the beginning of a word with a star (deploy*).")
  return share === ""
    ? say("The index is still being built. What isn't in it yet can't be found.")
    : say("The index is still being built ({share}). What isn't in it yet can't be found.", { share })
}
