import { failuresOf } from "../failure.ts"

/** Why a response can't be asked for again, and a message not be shown whole; the page loads them with what needs them. */
export const MESSAGE_ACTION_FAILURES = {
  NOTHING: "There's nothing to regenerate yet.",
  LOST: "The message that this response was for is no longer in the conversation. Write it again.",
  COMMAND: "The last message was a command. Type it again to clear the session.",
  MESSAGE_NOT_STORED: "The gateway no longer has this message.",
  MESSAGE_TOO_LONG: "This message is too long for the gateway to send."
} as const

export const messageActionFailure = failuresOf(MESSAGE_ACTION_FAILURES)
