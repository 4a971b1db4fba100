import type { AppServices } from "../../base/AppContext.ts"
import { say } from "../../core/language/say.ts"
import { placeName } from "../../core/search/groupHits.ts"
import { createSearchStore, type SearchHit, type SearchState, type SearchStore } from "../../core/search/SearchStore.ts"
import { aroundSearch, searchOf } from "../../core/search/searchOf.ts"
import { HIT_ICONS, hitPath, searchPath } from "../../search/hitPath.ts"
import type { PaletteEntry } from "./paletteEntries.ts"

/** Hits shown below the commands. */
const HITS = 4
/** Characters a search begins with. */
const MIN = 2
const SNIPPET = 120

/** The palette's own search of everything. */
export const paletteSearch = (app: AppServices): SearchStore =>
  createSearchStore({ api: app.client.api, around: aroundSearch(app.client), limit: HITS })

/** Searches for what is typed, unless that is too short. */
export const typeInto = (store: SearchStore, text: string): void => store.type(text.trim().length < MIN ? "" : text)

const snippetText = ({ title, snippet }: SearchHit): string => {
  if (title !== null) return title
  const text = snippet
    .map((part) => part.text)
    .join("")
    .replace(/\s+/g, " ")
    .trim()
  return text.length > SNIPPET ? `${text.slice(0, SNIPPET)}…` : text
}

const hitCommand = (
  app: AppServices,
  text: string,
  { hit, path }: { readonly hit: SearchHit; readonly path: string },
  index: number
): PaletteEntry => ({
  id: `hit ${index}`,
  label: snippetText(hit),
  icon: HIT_ICONS[hit.kind],
  group: app.client.sessions.find(hit.sessionKey ?? "")?.title ?? hit.sessionTitle ?? placeName(hit.kind),
  run: () => {
    searchOf(app.client).remember(text)
    app.router.navigate(path)
  }
})

/** What follows the commands for the words typed: the search of everything, and its first hits as far as they are there. */
export const searchEntries = (app: AppServices, state: SearchState, typed: string): ReadonlyArray<PaletteEntry> => {
  const text = typed.trim()
  if (text === "") return []
  const search = {
    id: "search everything",
    label: say("Search everything for “{text}”", { text }),
    group: say("Search"),
    icon: "search" as const,
    run: () => {
      searchOf(app.client).remember(text)
      app.router.navigate(searchPath(text))
    }
  }
  const hits = (state.shown === typed ? state.hits.slice(0, HITS) : []).flatMap((hit) => {
    const path = hitPath(hit)
    return path === null ? [] : [{ hit, path }]
  })
  return [search, ...hits.map((found, index) => hitCommand(app, text, found, index))]
}
