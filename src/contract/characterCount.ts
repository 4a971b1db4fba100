/** Characters as people count them: code points, not UTF-16 units. */
export const characterCount = (text: string): number => {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** Whether a text has at most `max` characters. */
export const hasAtMost = (text: string, max: number): boolean =>
  text.length <= max || (text.length <= 2 * max && characterCount(text) <= max)
