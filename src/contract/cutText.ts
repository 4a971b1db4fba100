const CUT = "\n...(truncated)..."
/** No gateway cuts shorter texts, so one that ends like this was written that way. */
const SHORTEST_CUT = 7_000

/** What stands in a history in place of a message that is too large for it. */
export const LEFT_OUT = /^\[chat\.history (?:omitted|unavailable)[^\]]*\]$/

/** A text without the remark that gateways append to what they cut; `undefined` for one that wasn't cut. */
export const beforeCut = (text: string): string | undefined =>
  text.length >= SHORTEST_CUT && text.endsWith(CUT) ? text.slice(0, -CUT.length) : undefined
