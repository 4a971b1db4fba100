import uFuzzy from "@leeoniya/ufuzzy"

/** The text a search looks at. */
export interface Searchable {
  readonly label: string
  readonly group: string
  readonly keywords?: string
}

/** Letters of every script count, not only Latin ones. */
const fuzzy = new uFuzzy({
  unicode: true,
  interSplit: "[^\\p{L}\\d']+",
  intraSplit: "\\p{Ll}\\p{Lu}",
  intraBound: "\\p{L}\\d|\\d\\p{L}|\\p{Ll}\\p{Lu}",
  intraChars: "[\\p{L}\\d']",
  intraContr: "'\\p{L}{1,2}\\b",
  intraIns: 1
})

/** Maximum words in free order; each additional one multiplies the work. */
const FREE_ORDER = 4

/** How well a label answers what was typed: it begins so, its words do, it has them, or the words are only in the rest. */
const rankOf = (label: string, words: string): number => {
  const text = label.toLocaleLowerCase()
  const typed = words.toLocaleLowerCase()
  if (text.startsWith(typed)) return 0
  const parts = typed.split(/\s+/)
  const own = text.split(/[^\p{L}\d']+/u)
  if (parts.every((part) => own.some((word) => word.startsWith(part)))) return 1
  return parts.every((part) => text.includes(part)) ? 2 : 3
}

/** The entries matching the words typed, best first; all of them without words. */
export const searchCommands = <A extends Searchable>(entries: ReadonlyArray<A>, query: string): ReadonlyArray<A> => {
  const words = query.trim()
  if (words === "") return entries
  const haystack = entries.map(({ label, group, keywords }) => `${label} ${group} ${keywords ?? ""}`)
  const [found, info, order] = fuzzy.search(haystack, words, FREE_ORDER)
  if (found === null) return []
  const indexes = info === null || order === null ? found : order.map((at) => info.idx[at])
  return indexes
    .flatMap((index) => entries[index ?? -1] ?? [])
    .map((entry) => ({ entry, rank: rankOf(entry.label, words) }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ entry }) => entry)
}
