/** The columns that add up, in the order of `UsageSums`. */
export const SUM_COLUMNS = [
  "messages",
  "errors",
  "input",
  "output",
  "cache_read",
  "cache_write",
  "nano_dollars"
] as const
