import type { PaletteEntry } from "./paletteEntry.ts"

/** Entries below one heading. */
export interface PaletteSection {
  readonly name: string
  /** The first one's number in the whole list. */
  readonly start: number
  readonly commands: ReadonlyArray<PaletteEntry>
}

/** The entries by their groups, which stand in the order of their first appearance. */
export const byGroup = (entries: ReadonlyArray<PaletteEntry>): ReadonlyArray<PaletteEntry> =>
  [...Map.groupBy(entries, ({ group }) => group).values()].flat()

/** The list under its headings; the entries of a group stand together. */
export const sectionsOf = (entries: ReadonlyArray<PaletteEntry>): ReadonlyArray<PaletteSection> => {
  let start = 0
  return [...Map.groupBy(entries, ({ group }) => group)].map(([name, commands]) => {
    const section = { name, start, commands }
    start += commands.length
    return section
  })
}
