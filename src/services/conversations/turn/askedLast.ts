import { clearsSession } from "../../../contract/commands.ts"
import type { Failure } from "../../../contract/failure.ts"
import { messageActionFailure } from "../../../contract/failures/messageActions.ts"
import { type Entry, type Timeline, waits } from "./timeline.ts"
import { CUT } from "./turnLife.ts"

/** How the last response comes about once more. */
type AskedLast =
  | { readonly how: "no"; readonly failure: Failure }
  /** It wasn't sent, or nobody knows whether it was: under its own key it can't run twice. */
  | { readonly how: "retry"; readonly key: string }
  /** `only` are the items of a failed turn that are nowhere but on this screen; another attempt replaces them. */
  | { readonly how: "ask"; readonly key: string; readonly only: ReadonlyArray<string> }

const NOTHING = messageActionFailure("NOTHING")
const LOST = messageActionFailure("LOST")
const COMMAND = messageActionFailure("COMMAND")

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
export function askedLast(timeline: Timeline): AskedLast {
  const at = timeline.findLastIndex((entry) => !isUnsent(entry) && entry.item.kind !== "note")
  const last = timeline[at]
  const hasFailed = last !== undefined && isFailure(last)
  const question = hasFailed ? questionOf(timeline, at) : timeline.findLast(({ item }) => item.kind === "user")
  if (question?.item.kind !== "user") return { how: "no", failure: hasFailed ? LOST : NOTHING }
  const { key, text, delivery } = question.item
  // Nobody was asked whether to clear the session again.
  if (clearsSession(text)) return { how: "no", failure: COMMAND }
  return delivery === "failed" ? { how: "retry", key } : { how: "ask", key, only: onlyHere(timeline, question) }
}
