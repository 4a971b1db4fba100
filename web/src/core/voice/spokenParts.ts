/** Longest text the console's server speaks at once, in UTF-16 code units. */
const MOST = 5_000
/** The first part is short, so that it's soon heard. */
const FIRST = 1_000

/** Where a part may end, best first: after a line, a sentence, a clause, a word. */
const ENDS = [/\n/g, /[.!?…](?=\s)|[。！？]|।/gu, /[,;:](?=\s)|[、，；：]/gu, /\s/g]

/** Where to cut a text so that the part before has at most `most` code units, and the break is heard least. */
const cutAt = (text: string, most: number): number => {
  const start = text.slice(0, most)
  for (const end of ENDS) {
    const last = [...start.matchAll(end)].at(-1)
    // A part of a few words costs as much as a long one.
    if (last !== undefined && last.index > most / 4) return last.index + last[0].length
  }
  // Half a pair would be no character.
  return start.isWellFormed() || !text.isWellFormed() ? most : most - 1
}

/** A text in the parts in which it's spoken one after the other; none if there's nothing to say. */
export const spokenParts = (text: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let rest = text.trim()
  while (rest !== "") {
    const most = parts.length === 0 && rest.length > FIRST ? FIRST : MOST
    const end = rest.length <= most ? rest.length : cutAt(rest, most)
    const part = rest.slice(0, end).trim()
    if (part !== "") parts.push(part)
    rest = rest.slice(end).trim()
  }
  return parts
}
