/** Longer texts aren't kept. */
const MAX_LENGTH = 128
const MAX_KEPT = 256

/** A pure function of one text that keeps its results for the texts that come with every request. */
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
