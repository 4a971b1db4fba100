/** The gateway's notes about the session, such as a model change, before what a person typed. */
const NOTES = /^(?:System(?: \(untrusted\))?: \[\d{4}-\d\d-\d\d [^\]\n]*\] [^\n]*\n+)+/
/** Blocks about the sender, the chat or the quoted message; whitespace may have become single spaces. */
const BLOCKS = /^(?:[A-Z][\w ,'-]* \(untrusted[^)]*\):\s```json\s[\s\S]*?\s```\s+)+/
const STAMP = /^\[[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d[^\]]{0,20}\](?: |$)/

/** A message without what older gateways store before what a person typed; their notes about the session stay. */
export const withoutSender = (text: string): string => text.replace(BLOCKS, "").replace(STAMP, "")

/** What a person typed, without anything older gateways store before it. */
export const unwrapped = (text: string): string => withoutSender(withoutSender(text).replace(NOTES, ""))

/** What older gateways put before a message, cut off before the message itself begins. */
export const CUT_ENVELOPE = /^(?:System(?: \(untrusted\))?: \[\d{4}-|[A-Z][\w ,'-]* \(untrusted\b)/

const STAMP_TIME = /^\[[A-Z][a-z]{2} (\d{4}-\d\d-\d\d) (\d\d:\d\d)/
const MINUTE_MS = 60_000
const QUARTER_MS = 15 * MINUTE_MS
/** The zone furthest from UTC, and how long a message waits at most to be stored. */
const FURTHEST_MS = 15 * 60 * MINUTE_MS
const CLOSE_MS = 3 * MINUTE_MS

/** Whether a text begins with a time stamp of that moment, in whatever zone it's written. */
const isStampedAt = (text: string, at: number): boolean => {
  const [, day, time] = STAMP_TIME.exec(text) ?? []
  const apart = Math.abs(Date.parse(`${day}T${time}Z`) - at)
  return apart <= FURTHEST_MS && Math.min(apart % QUARTER_MS, QUARTER_MS - (apart % QUARTER_MS)) <= CLOSE_MS
}

/**
 * A person's message without what an older gateway stored before it, as a newer gateway gives it after an update. A
 * stamp alone is the gateway's if it says when the message was stored (`at`, epoch milliseconds): people type such
 * things as well.
 */
export const migratedText = (text: string, at: number | null): string => {
  const bare = text.replace(BLOCKS, "")
  return bare !== text || (at !== null && isStampedAt(bare, at)) ? bare.replace(STAMP, "") : text
}
