/** A word without accents and case. */
export const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()

/** The words of a text. */
export const split = (text: string): ReadonlyArray<string> =>
  text.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== "")

const CAMEL = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u

/** A text prepared for a scan without an index. */
export const scanned = (text: string) => {
  const found = split(text)
  const words = found.map(plain)
  const all = new Set([...words, ...found.flatMap((word) => word.split(CAMEL)).map(plain)])
  const line = ` ${words.join(" ")} `
  return {
    hasWord: (word: string) => all.has(word),
    hasPrefix: (start: string) => [...all].some((word) => word.startsWith(start)),
    hasPhrase: (phrase: string) => line.includes(` ${phrase} `),
    has: (run: string) => text.includes(run)
  }
}
export type Scanned = ReturnType<typeof scanned>
