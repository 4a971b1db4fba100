/** How long a conversation is kept that nobody looks at. */
const KEPT_MS = 5 * 60_000
/** How many of those there may be, and how much text all together have. */
const MAX_UNSEEN = 32
const MAX_CHARACTERS = 32 * 1024 * 1024

/** What decides whether a conversation is kept. */
export interface HeldConversation {
  readonly viewers: number
  /** When it was last looked at. */
  readonly seenAt: number
  /** Characters of its texts, of two bytes each. */
  readonly size: number
}

/** The conversations that aren't kept any longer: those that nobody has looked at for the longest time go first. */
export const overdue = <Held extends HeldConversation>(all: ReadonlyArray<Held>, now: number): ReadonlyArray<Held> => {
  const unseen = all.filter(({ viewers }) => viewers === 0).toSorted((a, b) => b.seenAt - a.seenAt)
  let left = MAX_CHARACTERS
  for (const { size, viewers } of all) if (viewers > 0) left -= size
  return unseen.filter(({ seenAt, size }, index) => {
    const isKept = now - seenAt < KEPT_MS && index < MAX_UNSEEN && size <= left
    if (isKept) left -= size
    return !isKept
  })
}

/** Entries that a conversation grows to, and those that are left of it after a turn; the same for their texts. */
const MOST = { entries: 400, characters: 2 * 1024 * 1024 }
const LEFT = { entries: 300, characters: 1.5 * 1024 * 1024 }

/** How many of the first entries are left to older pages, by the sizes of all of them. */
export const surplus = (sizes: ReadonlyArray<number>): number => {
  let characters = sizes.reduce((sum, size) => sum + size, 0)
  if (sizes.length <= MOST.entries && characters <= MOST.characters) return 0
  let count = 0
  while (count < sizes.length - 1 && (sizes.length - count > LEFT.entries || characters > LEFT.characters)) {
    characters -= sizes[count] ?? 0
    count += 1
  }
  return count
}
