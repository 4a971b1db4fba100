/** Longer texts aren't kept. */
const MAX_LENGTH = 128
const MAX_KEPT = 256

/** Caches a pure function of one text, for the texts that every request contains. */
export const remembered = <A>(compute: (text: string) => A): ((text: string) => A) => {
  const kept = new Map<string, A>()
  return (text) => {
    const known = kept.get(text)
    if (known !== undefined) return known
    const result = compute(text)
    if (kept.size >= MAX_KEPT) kept.clear()
    if (text.length <= MAX_LENGTH) kept.set(text, result)
    return result
  }
}
