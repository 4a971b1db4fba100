import type { MemoryEntry } from "../../../../src/contract/schema/knowledge.ts"

/** A section of the long-term memory; the title is null for bullets above the first heading. */
export interface MemorySection {
  /** Unique, even among sections with the same title. */
  readonly id: string
  readonly title: string | null
  readonly items: ReadonlyArray<string>
  /** An earlier section has the same title; the server only ever finds that one. */
  readonly isRepeated: boolean
}

/** A day's file with its headings. */
export interface MemoryDay {
  readonly date: string
  readonly headings: ReadonlyArray<string>
}

export interface MemoryView {
  readonly sections: ReadonlyArray<MemorySection>
  readonly days: ReadonlyArray<MemoryDay>
  /** Files that hold bytes which aren't UTF-8: they can be read as far as that goes, not changed. */
  readonly damagedFiles: ReadonlyArray<string>
}

/** Groups the flat list of memory entries into sections and days. */
export const memoryView = (entries: ReadonlyArray<MemoryEntry>): MemoryView => {
  const sections: Array<{ id: string; title: string | null; items: Array<string>; isRepeated: boolean }> = []
  const days = new Map<string, Array<string>>()
  const seen = new Map<string, number>()
  const damagedFiles = new Set<string>()
  for (const entry of entries) {
    const { damaged, text } = entry
    if (damaged) damagedFiles.add(entry.type === "daily" ? `${entry.date}.md` : "MEMORY.md")
    if (entry.type === "daily") days.set(entry.date, [...(days.get(entry.date) ?? []), text])
    else if (entry.type === "section") {
      const count = seen.get(text) ?? 0
      seen.set(text, count + 1)
      sections.push({ id: `${count}:${text}`, title: text, items: [], isRepeated: count > 0 })
    } else {
      if (sections.length === 0) sections.push({ id: "top", title: null, items: [], isRepeated: false })
      sections.at(-1)?.items.push(text)
    }
  }
  return { sections, days: [...days].map(([date, headings]) => ({ date, headings })), damagedFiles: [...damagedFiles] }
}

const wordsOf = (query: string): ReadonlyArray<string> =>
  query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")

const hasAll = (text: string, words: ReadonlyArray<string>): boolean => {
  const small = text.toLowerCase()
  return words.every((word) => small.includes(word))
}

/**
 * The parts of the memory that match all words of a query: whole sections by title, otherwise matching bullets
 * (together with the title); for days, headings whose title, date or content match.
 */
export const searchMemory = (
  view: MemoryView,
  query: string,
  contentOf: (date: string, heading: string) => string | null
): MemoryView => {
  const words = wordsOf(query)
  if (words.length === 0) return view
  const sections = view.sections.flatMap((section) => {
    const title = section.title ?? ""
    if (hasAll(title, words)) return [section]
    const items = section.items.filter((item) => hasAll(`${title} ${item}`, words))
    return items.length === 0 ? [] : [{ ...section, items }]
  })
  const days = view.days.flatMap((day) => {
    const headings = day.headings.filter((heading) =>
      hasAll(`${day.date} ${heading} ${contentOf(day.date, heading) ?? ""}`, words)
    )
    return headings.length === 0 ? [] : [{ ...day, headings }]
  })
  return { ...view, sections, days }
}
