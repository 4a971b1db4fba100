/** What stands in a field after `sent` was stored, which it held before: whatever was typed meanwhile. */
export const withoutSent = (now: string, sent: string): string => {
  const at = now.length - now.trimStart().length
  return now.startsWith(sent, at) ? now.slice(at + sent.length).trim() : now
}
