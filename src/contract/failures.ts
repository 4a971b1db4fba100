import { englishText, failureSentence, failuresOf, type Why } from "./failure.ts"
import { BOARD_FAILURES } from "./failures/board.ts"
import { BUDGET_FAILURES } from "./failures/budgets.ts"
import { CALL_FAILURES } from "./failures/calls.ts"
import { CONNECTION_FAILURES } from "./failures/connection.ts"
import { CONVERSATION_FAILURES } from "./failures/conversation.ts"
import { FIELD_FAILURES } from "./failures/fields.ts"
import { KNOWLEDGE_FAILURES } from "./failures/knowledge.ts"
import { LIVE_FAILURES } from "./failures/live.ts"
import { MACHINE_FAILURES } from "./failures/machine.ts"
import { MESSAGE_ACTION_FAILURES } from "./failures/messageActions.ts"
import { MESSAGE_FAILURES } from "./failures/messages.ts"
import { VOICE_FAILURES } from "./failures/voice.ts"

/** Every code with its English sentence; the catalogues of the other languages have their sentences under it. */
export const FAILURES = {
  ...BOARD_FAILURES,
  ...BUDGET_FAILURES,
  ...CALL_FAILURES,
  ...CONNECTION_FAILURES,
  ...CONVERSATION_FAILURES,
  ...FIELD_FAILURES,
  ...KNOWLEDGE_FAILURES,
  ...LIVE_FAILURES,
  ...MACHINE_FAILURES,
  ...MESSAGE_ACTION_FAILURES,
  ...MESSAGE_FAILURES,
  ...VOICE_FAILURES
} as const

export type FailureCode = keyof typeof FAILURES

/** A failure with this code. */
export const failure = failuresOf(FAILURES)

const textOf = englishText(FAILURES)

/** The English sentence of a code; undefined for a code that this version doesn't have. */
export const englishSentence = (why: Why): string | undefined => failureSentence(why, textOf, "en-GB")
