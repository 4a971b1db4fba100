import { Clock, Effect, Result } from "effect"
import type { BoardShape } from "../board/BoardShape.ts"
import type { OutboxShape } from "../outbox/Outbox.ts"
import { type BudgetBook, heldKey } from "./BudgetBook.ts"
import type { HeldSession } from "./heldSession.ts"

/** The begin of a turn whose message the gateway has is told within this time; if not, it was missed. */
const BEGUN_WITHIN_MS = 15_000

const GO_ON = "Your work was paused because its budget was used up. It may go on now: continue from where you stopped."
const SUM_UP =
  "The budget for this work is used up. Sum up in one last answer, without starting anything new: what you have done, what is left to do, and what whoever goes on needs to know."

/** The reason of a stop for which nobody gave one. */
const NO_REASON = "Everything was stopped."

/** Sends the messages that held sessions wait for, and ends the runs of cards that the stop of everything stopped. */
export const makeGoingOn = (book: BudgetBook, board: BoardShape, outbox: OutboxShape) => {
  const drop = (session: HeldSession) =>
    book.write((entry) => {
      const now = entry.held.get(heldKey(session))
      if (now?.messageId === session.messageId) entry.drop(session)
      return Result.void
    })

  const send = Effect.fnUntraced(function* (session: HeldSession, id: string) {
    const { gatewayId, sessionKey, since, state } = session
    const { taskId } = book.workOf(gatewayId, sessionKey)
    // A run that a person ended meanwhile has nothing to go on with.
    if (taskId !== undefined && !(yield* board.resumeRun(taskId, sessionKey, id))) return yield* drop(session)
    const text = state === "summing" ? SUM_UP : GO_ON
    const { isNew, item } = yield* outbox.add({ id, gatewayId, sessionKey, text, mode: "next" })
    if (isNew) yield* outbox.change(id, { position: 0 })
    const isLate = (yield* Clock.currentTimeMillis) - since > BEGUN_WITHIN_MS
    if (isNew || item.state !== "handed" || !isLate || book.running.inSession(session).length > 0) return
    yield* book.write((entry) => {
      const found = entry.held.get(heldKey(session))
      if (found?.messageId === id) entry.move(found, { type: "ended" })
      return Result.void
    })
  })

  const lift = Effect.fnUntraced(function* (session: HeldSession, reason: string) {
    const { taskId } = book.workOf(session.gatewayId, session.sessionKey)
    if (taskId !== undefined) yield* board.abortStopped(taskId, session.rootKey, reason === "" ? NO_REASON : reason)
    yield* drop(session)
  })

  /** Does what's left to do for every held session; repeating it does no harm. */
  return Effect.suspend(() => {
    const { held, stop } = book.pages()
    return Effect.forEach(
      held.values(),
      (session) => {
        const { hasBegun, messageId, state, stopReason } = session
        const isWaiting = (state === "resuming" || state === "summing") && !hasBegun
        const step: Effect.Effect<void, { readonly message: string }> =
          stopReason !== undefined && stop === undefined
            ? lift(session, stopReason)
            : isWaiting && messageId !== undefined
              ? Effect.asVoid(send(session, messageId))
              : Effect.void
        return step.pipe(
          Effect.catch((error) =>
            Effect.logWarning(`Couldn't let a session go on: ${"message" in error ? error.message : String(error)}`)
          )
        )
      },
      { discard: true }
    )
  })
}
