import { clearsSession } from "../../../../src/contract/commands.ts"
import type { ActionResult } from "../common/Observable.ts"
import { say } from "../language/say.ts"
import { type Conversation, type ConversationEvent, isRunning } from "./Conversation.ts"
import type { ChatStore } from "./chatTypes.ts"
import { type Entry, type Timeline, waits } from "./timeline.ts"
import { CUT } from "./turnLife.ts"

/** How the last response comes about once more. */
type AskedLast =
  | { readonly how: "no"; readonly message: string }
  /** It wasn't sent, or nobody knows whether it was: under its own key it can't run twice. */
  | { readonly how: "retry"; readonly key: string }
  /** `only` are the items of a failed turn that are nowhere but on this screen; another attempt replaces them. */
  | { readonly how: "ask"; readonly key: string; readonly only: ReadonlyArray<string> }

const NOTHING = say("There's nothing to regenerate yet.")
const LOST = say("The message that this response was for is no longer in the conversation. Write it again.")
const COMMAND = say("The last message was a command. Type it again to clear the session.")

const isFailure = ({ item }: Entry): boolean => item.kind === "error" || item.kind === "aborted"

const isUnsent = ({ item }: Entry): boolean => waits(item) || (item.kind === "user" && item.delivery === "failed")

/** The question of the turn that ended with this entry; null if nobody on this page knows it. */
function questionOf(timeline: Timeline, at: number): Entry | null {
  const named = timeline[at]?.runId ?? null
  const run = named?.startsWith(CUT) === true ? null : named
  const own = timeline.find(({ item, runId }) => item.kind === "user" && run !== null && runId === run)
  if (own !== undefined) return own
  for (const entry of timeline.slice(0, at).reverse()) {
    if (entry.item.kind === "user" && !isUnsent(entry)) return entry
    // Here the turn before begins, whose question was another one.
    const isSaid = entry.item.kind !== "user" && entry.item.kind !== "note"
    if (isSaid && run !== null && entry.runId !== null && entry.runId !== run) return null
  }
  return null
}

/** What a failed turn left on this screen alone: its question and the failure, if there is nothing else of it. */
function onlyHere(timeline: Timeline, { runId }: Entry): ReadonlyArray<string> {
  const ofTurn = timeline.filter((entry) => runId !== null && entry.runId === runId)
  const isBare = ofTurn.every((entry) => entry.source === null && (entry.item.kind === "user" || isFailure(entry)))
  return isBare && ofTurn.some(isFailure) ? ofTurn.map(({ item }) => item.key) : []
}

/** What to ask for another response to the last question: that of the turn that failed, if the last one did. */
function askedLast(timeline: Timeline): AskedLast {
  const at = timeline.findLastIndex((entry) => !isUnsent(entry) && entry.item.kind !== "note")
  const last = timeline[at]
  const hasFailed = last !== undefined && isFailure(last)
  const question = hasFailed ? questionOf(timeline, at) : timeline.findLast(({ item }) => item.kind === "user")
  if (question?.item.kind !== "user") return { how: "no", message: hasFailed ? LOST : NOTHING }
  const { key, text, delivery } = question.item
  // Nobody was asked whether to clear the session again.
  if (clearsSession(text)) return { how: "no", message: COMMAND }
  return delivery === "failed" ? { how: "retry", key } : { how: "ask", key, only: onlyHere(timeline, question) }
}

interface Asking extends Pick<ChatStore, "askAgain" | "resync" | "retry"> {
  readonly state: () => Conversation
  readonly dispatch: (event: ConversationEvent) => void
}

/** Asks for another response to the last question. */
export async function askLast({ state, dispatch, resync, retry, askAgain }: Asking): Promise<ActionResult> {
  const isOnlyHere = ({ item, source }: Entry) => item.kind === "user" && item.delivery === "sent" && source === null
  // The history may have it by now; only then can the gateway go back to it.
  if (!isRunning(state()) && state().timeline.some(isOnlyHere)) await resync()
  if (isRunning(state())) return { ok: false, message: say("Stop the current response first.") }
  const last = askedLast(state().timeline)
  if (last.how === "no") return { ok: false, message: last.message }
  if (last.how === "ask") {
    const done = await askAgain(last.key)
    if (done.ok) dispatch({ type: "takeBack", keys: last.only })
    return done
  }
  retry(last.key)
  return { ok: true, value: true }
}
