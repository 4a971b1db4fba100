import { Effect } from "effect"
import type { Task } from "../../../contract/schema/task.ts"
import type { Mutation } from "../boardEvents.ts"
import type { BoardDb } from "../store/BoardStore.ts"
import { type StartContext, withFlow } from "./flowAnswers.ts"

interface AnswerContext extends StartContext {
  readonly db: BoardDb
}

/** What a transaction did, with each published card as it's answered. */
export const answered = Effect.fnUntraced(function* <A>(context: AnswerContext, mutation: Mutation<A>) {
  const tasks = mutation.changes.flatMap(({ task }) => task ?? [])
  if (tasks.length === 0) return mutation
  const answers = yield* withFlow(context.db, tasks, context)
  let next = 0
  const whole: Mutation<A> = {
    ...mutation,
    changes: mutation.changes.map((change) => {
      if (change.task === undefined) return change
      const task = answers[next] ?? change.task
      next += 1
      return { ...change, task }
    })
  }
  return whole
})

/** The same where the answer is a card. */
export const answeredWithTask = Effect.fnUntraced(function* (context: AnswerContext, mutation: Mutation<Task>) {
  const whole = yield* answered(context, mutation)
  const published = whole.changes.findLast(({ task }) => task?.id === mutation.value.id)?.task
  const value = published ?? (yield* withFlow(context.db, [mutation.value], context))[0] ?? mutation.value
  return { ...whole, value }
})
