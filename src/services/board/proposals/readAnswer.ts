import { Result } from "effect"
import { parseMarkers } from "../../../contract/markers/parseMarkers.ts"
import { removeSpans } from "../../../contract/markers/removeSpans.ts"
import type { Ask } from "../../../contract/schema/proposal.ts"
import { decodeAsk } from "./decodeAsk.ts"
import { markerFaults } from "./markerFaults.ts"

const MAX_RESULT = 50_000

/** The parts of an agent's answer. */
export interface Answer {
  /** The task's result: without task or speech markers, at most 50,000 characters. */
  readonly text: string
  /** What the agent asked for; invalid markers are skipped. */
  readonly asks: ReadonlyArray<Ask>
  /** What's wrong with the skipped markers. */
  readonly faults: ReadonlyArray<string>
}

/** Reads an agent's answer. */
export const readAnswer = (answer: string): Answer => {
  const { tasks, hidden } = parseMarkers(answer)
  return {
    text: removeSpans(answer, hidden).trim().slice(0, MAX_RESULT),
    asks: tasks.flatMap(({ kind, payload }) => {
      const ask = decodeAsk(kind, payload)
      return Result.isSuccess(ask) ? [ask.success] : []
    }),
    faults: markerFaults(answer, hidden)
  }
}
