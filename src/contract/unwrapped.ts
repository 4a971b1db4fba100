/** The gateway's notes about the session, such as a model change, before what a person typed. */
const NOTES = /^(?:System(?: \(untrusted\))?: \[\d{4}-\d\d-\d\d [^\]\n]*\] [^\n]*\n+)+/
/** Blocks about the sender, the chat or the quoted message; whitespace may have become single spaces. */
const BLOCKS = /^(?:[A-Z][\w ,'-]* \(untrusted[^)]*\):\s```json\s[\s\S]*?\s```\s+)+/
const STAMP = /^\[[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d[^\]]{0,20}\](?: |$)/

/** A message without what older gateways store before what a person typed; their notes about the session stay. */
export const withoutSender = (text: string): string => text.replace(BLOCKS, "").replace(STAMP, "")

/** What a person typed, without anything older gateways store before it. */
export const unwrapped = (text: string): string => withoutSender(withoutSender(text).replace(NOTES, ""))
