import { say } from "../language/say.ts"

/** How work of an agent stands, said in the same words wherever it is shown. */
export const STATE_WORDS = {
  queued: say("Queued"),
  working: say("Working"),
  waiting: say("Waiting for you"),
  denied: say("Denied"),
  failed: say("Failed"),
  done: say("Done"),
  stopped: say("Stopped")
} as const

export type WorkState = keyof typeof STATE_WORDS
