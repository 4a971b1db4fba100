/** How work of an agent stands, said in the same words wherever it is shown. */
export const STATE_WORDS = {
  working: "Working",
  waiting: "Waiting for you",
  denied: "Denied",
  failed: "Failed",
  done: "Done"
} as const
