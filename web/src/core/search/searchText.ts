import type { SearchState } from "./SearchStore.ts"

/** How far the index is, such as "43 %"; empty if nobody knows. */
export const progressText = (progress: number | null): string =>
  progress === null ? "" : `${Math.floor(progress * 100)} %`

type IndexState = Pick<SearchState, "isBuilding" | "progress" | "paused">

/** What a paused index needs, in a sentence of its own. */
export const pausedText = (why: string): string => `The index is paused: ${why}.`

const indexText = ({ isBuilding, paused, progress }: IndexState): string => {
  const share = progressText(progress)
  if (paused !== null) return " · index paused"
  return isBuilding ? ` · index being built${share === "" ? "" : `, ${share}`}` : ""
}

/** The state of a search in few words, for the line above its results. */
export const searchText = (state: SearchState): string => {
  const { status, text, hits, cursor } = state
  if (status === "failed") return ""
  if (status === "idle") return text.trim() === "" ? "" : "Add a word to look for"
  if (status === "loading") return "Searching…"
  const count = hits.length
  const found =
    count === 0 ? "Nothing found" : `${count}${cursor === null ? "" : "+"} ${count === 1 ? "result" : "results"}`
  return found + indexText(state)
}

/** What to do when nothing was found, in a sentence. */
export const nothingFoundText = ({ isBuilding, progress }: Omit<IndexState, "paused">): string => {
  const share = progressText(progress)
  if (!isBuilding)
    return "Every word must occur. Try fewer words, the beginning of a word with a star (deploy*), or fewer filters."
  return `The index is still being built${share === "" ? "" : ` (${share})`}. What isn't in it yet can't be found.`
}
