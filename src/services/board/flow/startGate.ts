import type { Failure } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"
import type { TaskStatus, WaitReason } from "../../../contract/schema/task.ts"

/** How full something is; a `limit` of 0 is none. */
export interface Room {
  readonly used: number
  readonly limit: number
}

/** Everything that decides whether a card may start, as a plain record. */
export interface StartFacts {
  /** Epoch milliseconds. */
  readonly now: number
  readonly startAt: number | undefined
  /** The cards it waits for; one without a status isn't on the board any more. */
  readonly after: ReadonlyArray<{
    readonly id: string
    readonly title?: string | undefined
    readonly status: TaskStatus | undefined
  }>
  readonly isStopped: boolean
  /** The used up budget that holds it. */
  readonly budget: { readonly id: string; readonly until?: number | undefined } | undefined
  readonly gateway: "there" | "away" | "unknown"
  /** Of a card that starts by itself: nobody would see it fail or crowd out others. */
  readonly automatic?: {
    readonly isSwitchedOff: boolean
    readonly board: Room
    readonly agent: Room & { readonly name: string }
    readonly column: Room
    /** The used up usage window of its agent, where that's known. */
    readonly usage: { readonly until?: number | undefined } | undefined
  }
}

/** A reason whose sentence is made when an answer has it. */
interface Held extends Pick<WaitReason, "kind"> {
  readonly says: () => Failure
  readonly id?: string | undefined
  readonly until?: number | undefined
}

const waitReason = ({ id, kind, says, until }: Held): WaitReason => {
  const { message, why } = says()
  return {
    kind,
    ...(id === undefined ? {} : { id }),
    ...(until === undefined ? {} : { until }),
    details: message,
    ...(why === undefined ? {} : { why })
  }
}

/** Whether one more fits; what can't be counted is full. */
const hasRoom = ({ limit, used }: Room): boolean => used < limit

const isOpen = ({ status }: StartFacts["after"][number]): boolean => status !== "done" && status !== undefined
const isGone = ({ status }: StartFacts["after"][number]): boolean => status === undefined

function* reasonsOf(facts: StartFacts): Generator<Held> {
  const { after, automatic, budget, gateway, isStopped, now, startAt } = facts
  for (const { id, title = id } of after.filter(isOpen))
    yield { kind: "card", says: () => failure("CARD_NOT_DONE", { title }), id }
  if (!(startAt === undefined || startAt <= now))
    yield { kind: "time", says: () => failure("TIME_NOT_COME"), until: startAt }
  for (const { id } of after.filter(isGone)) yield { kind: "person", says: () => failure("CARD_BEFORE_DELETED"), id }
  if (automatic !== undefined) {
    const { agent, board, column, isSwitchedOff } = automatic
    if (isSwitchedOff) yield { kind: "person", says: () => failure("STARTS_ARE_OFF") }
    if (!hasRoom(agent)) yield { kind: "capacity", says: () => failure("AGENT_IS_BUSY", { agent: agent.name }) }
    else if (!hasRoom(board)) yield { kind: "capacity", says: () => failure("BOARD_IS_BUSY", board) }
    if (column.limit !== 0 && !hasRoom(column))
      yield { kind: "wip", says: () => failure("RUNNING_COLUMN_IS_FULL", column) }
  }
  if (budget !== undefined) yield { kind: "budget", says: () => failure("BUDGET_USED_UP"), ...budget }
  if (isStopped) yield { kind: "stop", says: () => failure("EVERYTHING_STOPPED") }
  if (automatic?.usage !== undefined) yield { kind: "limit", says: () => failure("USAGE_USED_UP"), ...automatic.usage }
  if (gateway === "unknown") yield { kind: "gateway", says: () => failure("CARD_GATEWAY_GONE") }
  else if (automatic !== undefined && gateway === "away")
    yield { kind: "gateway", says: () => failure("CARD_GATEWAY_AWAY") }
}

/**
 * Every reason why a card can't start now; none lets it start. Anything that isn't known to allow the start forbids it:
 * a time that is no number hasn't come, and a card that can't be found isn't done.
 */
export const startGate = (facts: StartFacts): ReadonlyArray<WaitReason> => Array.from(reasonsOf(facts), waitReason)

/** Whether there's any such reason, without the sentences of all of them. */
export const isHeld = (facts: StartFacts): boolean => reasonsOf(facts).next().done !== true

/** Whether a reason keeps a person from starting a card, who may `force` it. */
export const holdsPerson = ({ id, kind }: WaitReason): boolean =>
  kind === "card" || kind === "time" || (kind === "person" && id !== undefined)
