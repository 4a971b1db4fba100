import { failuresOf } from "../failure.ts"

/** Why a message, a response or what somebody wanted of a conversation failed. */
export const CONVERSATION_FAILURES = {
  NOTHING_RUNNING: "Nothing is running.",
  NOTHING_TO_STOP: "The gateway has no response to stop.",
  MESSAGE_NOT_HERE: "That message is no longer here.",
  RESPONSE_RUNNING: "Stop the current response first.",
  STOPPED_UNREAD: "Stopped before the agent read it.",
  MESSAGE_LOST: "The gateway no longer has this message, and the agent hasn't read it.",
  MESSAGE_UNANSWERED:
    "The gateway didn't respond to this message or save it. It may be too long for the model: shorten it, or choose another model.",
  RESPONSE_CUT_OFF: "The gateway restarted before the agent finished its response.",
  RESPONSE_KEY_REFUSED: "The model's provider refused the gateway's key. Check the key on the gateway.",
  RESPONSE_NO_CREDIT: "The model's provider says the account is out of credit.",
  RESPONSE_RATE_LIMITED: "The model's provider is limiting requests. Wait a minute, then try again.",
  RESPONSE_TOO_LONG: "The conversation is too long for this model. Start a new session or compact this one.",
  RESPONSE_PROVIDER_FAILED: "The model's provider is having problems. Try again in a moment.",
  RESPONSE_TIMED_OUT: "The model didn't respond in time. Try again.",
  RESPONSE_PROVIDER_UNREACHABLE: "The gateway can't reach the model's provider.",
  RESPONSE_REQUEST_REJECTED: "The model's provider rejected the request. Try another model.",
  RESPONSE_UNKNOWN_MODEL: "The gateway doesn't know this session's model. Choose another one.",
  RESPONSE_FAILED: "The agent couldn't finish its response. See the gateway's log for details.",
  RESPONSE_MODEL_FAILED: "The agent couldn't finish its response: {model} failed. See the gateway's log for details.",
  RESPONSE_MODEL_FAILED_AS:
    "The agent couldn't finish its response: {model} failed ({kind}). See the gateway's log for details."
} as const

/** A failure of a conversation; the page has the sentences of these alone. */
export const conversationFailure = failuresOf(CONVERSATION_FAILURES)
