/** Longer texts aren't cached. */
const MAX_LENGTH = 128
const MAX_KEPT = 256

/** Caches a pure function of one text, for the texts that every request contains. */
export const cacheByText = <A>(compute: (text: string) => A): ((text: string) => A) => {
  const cache = new Map<string, A>()
  return (text) => {
    const known = cache.get(text)
    if (known !== undefined) return known
    const result = compute(text)
    if (cache.size >= MAX_KEPT) cache.clear()
    if (text.length <= MAX_LENGTH) cache.set(text, result)
    return result
  }
}
