import { recordsOf } from "../decode.ts"

/** A section of the long-term memory; the title is null for bullets above the first heading. */
export interface MemorySection {
  /** Tells it from the others, also from one of the same title. */
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
}

/** Puts the flat list of SPEC "Memory entries" in sections and days; entries of no known shape are left out. */
export const memoryView = (body: unknown): MemoryView => {
  const sections: Array<{ id: string; title: string | null; items: Array<string>; isRepeated: boolean }> = []
  const days = new Map<string, Array<string>>()
  const seen = new Map<string, number>()
  for (const { type, text, date } of recordsOf(body)) {
    if (typeof text !== "string") continue
    if (type === "section") {
      const count = seen.get(text) ?? 0
      seen.set(text, count + 1)
      sections.push({ id: `${count}:${text}`, title: text, items: [], isRepeated: count > 0 })
    } else if (type === "item") {
      if (sections.length === 0) sections.push({ id: "top", title: null, items: [], isRepeated: false })
      sections.at(-1)?.items.push(text)
    } else if (type === "daily" && typeof date === "string") {
      days.set(date, [...(days.get(date) ?? []), text])
    }
  }
  return { sections, days: [...days].map(([date, headings]) => ({ date, headings })) }
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
 * What of the memory has all words of a query: sections whose title has them whole, else their bullets that have them
 * (together with the title); of days the headings whose title, date or content has them.
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
  return { sections, days }
}
