import { Result } from "effect"
import { parseMarkers } from "../markers/parseMarkers.ts"
import { removeSpans } from "../markers/removeSpans.ts"
import { decodeAsk } from "./decodeAsk.ts"
import type { Ask } from "./proposal.ts"

const MAX_RESULT = 50_000

/** An agent's answer, taken apart. */
export interface Answer {
  /** What is kept as the task's result: no task or speech markers, at most 50,000 characters. */
  readonly text: string
  /** What the agent asked for; markers that do not decode are skipped (D44). */
  readonly asks: ReadonlyArray<Ask>
}

/** Reads an agent's answer (SPEC "Agent output markers"). */
export const readAnswer = (answer: string): Answer => {
  const { tasks, hidden } = parseMarkers(answer)
  return {
    text: removeSpans(answer, hidden).trim().slice(0, MAX_RESULT),
    asks: tasks.flatMap(({ kind, payload }) => {
      const ask = decodeAsk(kind, payload)
      return Result.isSuccess(ask) ? [ask.success] : []
    })
  }
}
