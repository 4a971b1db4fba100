import type { Failure } from "../../../../src/contract/failure.ts"
import { conversationFailure } from "../../../../src/contract/failures/conversation.ts"
import { askedLast } from "../../../../src/services/conversations/turn/askedLast.ts"
import {
  type Conversation,
  type ConversationEvent,
  isRunning
} from "../../../../src/services/conversations/turn/Conversation.ts"
import type { Entry } from "../../../../src/services/conversations/turn/timeline.ts"
import type { ActionResult } from "../common/Observable.ts"
import { ownFailureText } from "../link/failureText.ts"
import type { ChatStore } from "./chatTypes.ts"

interface Asking extends Pick<ChatStore, "askAgain" | "resync" | "retry"> {
  readonly state: () => Conversation
  readonly dispatch: (event: ConversationEvent) => void
}

const failed = (failure: Failure): ActionResult => ({ ok: false, message: ownFailureText(failure) })

/** Asks for another response to the last question. */
export async function askLast({ state, dispatch, resync, retry, askAgain }: Asking): Promise<ActionResult> {
  const isOnlyHere = ({ item, source }: Entry) => item.kind === "user" && item.delivery === "sent" && source === null
  // The history may have it by now; only then can the gateway go back to it.
  if (!isRunning(state()) && state().timeline.some(isOnlyHere)) await resync()
  if (isRunning(state())) return failed(conversationFailure("RESPONSE_RUNNING"))
  const last = askedLast(state().timeline)
  if (last.how === "no") return failed(last.failure)
  if (last.how === "ask") {
    const done = await askAgain(last.key)
    if (done.ok) dispatch({ type: "takeBack", keys: last.only })
    return done
  }
  retry(last.key)
  return { ok: true, value: true }
}
