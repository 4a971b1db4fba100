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

const reason = (
  kind: WaitReason["kind"],
  { message, why }: Failure,
  { id, until }: { readonly id?: string | undefined; readonly until?: number | undefined } = {}
): WaitReason => ({
  kind,
  ...(id === undefined ? {} : { id }),
  ...(until === undefined ? {} : { until }),
  details: message,
  ...(why === undefined ? {} : { why })
})

/** Whether one more fits; what can't be counted is full. */
const hasRoom = ({ limit, used }: Room): boolean => used < limit

const predecessors = (
  after: StartFacts["after"],
  isOnBoard: boolean
): ReadonlyArray<Pick<StartFacts["after"][number], "id" | "title">> =>
  after.filter(({ status }) => status !== "done" && (status !== undefined) === isOnBoard)

const automaticReasons = (
  { agent, board, column, usage }: NonNullable<StartFacts["automatic"]>,
  gateway: StartFacts["gateway"]
) => {
  const crowded = hasRoom(agent)
    ? hasRoom(board)
      ? undefined
      : failure("BOARD_IS_BUSY", board)
    : failure("AGENT_IS_BUSY", { agent: agent.name })
  return {
    capacity: crowded === undefined ? [] : [reason("capacity", crowded)],
    wip: column.limit === 0 || hasRoom(column) ? [] : [reason("wip", failure("RUNNING_COLUMN_IS_FULL", column))],
    limit: usage === undefined ? [] : [reason("limit", failure("USAGE_USED_UP"), usage)],
    gateway: gateway === "away" ? [reason("gateway", failure("CARD_GATEWAY_AWAY"))] : []
  }
}

/**
 * Every reason why a card can't start now; none lets it start. Anything that isn't known to allow the start forbids it:
 * a time that is no number hasn't come, and a card that can't be found isn't done.
 */
export const startGate = (facts: StartFacts): ReadonlyArray<WaitReason> => {
  const { after, automatic, budget, gateway, isStopped, now, startAt } = facts
  const own = automatic && automaticReasons(automatic, gateway)
  const isDue = startAt === undefined || startAt <= now
  return [
    ...predecessors(after, true).map(({ id, title = id }) =>
      reason("card", failure("CARD_NOT_DONE", { title }), { id })
    ),
    ...(isDue ? [] : [reason("time", failure("TIME_NOT_COME"), { until: startAt })]),
    ...predecessors(after, false).map(({ id }) => reason("person", failure("CARD_BEFORE_DELETED"), { id })),
    ...(automatic?.isSwitchedOff === true ? [reason("person", failure("STARTS_ARE_OFF"))] : []),
    ...(own?.capacity ?? []),
    ...(own?.wip ?? []),
    ...(budget === undefined ? [] : [reason("budget", failure("BUDGET_USED_UP"), budget)]),
    ...(isStopped ? [reason("stop", failure("EVERYTHING_STOPPED"))] : []),
    ...(own?.limit ?? []),
    ...(gateway === "unknown" ? [reason("gateway", failure("CARD_GATEWAY_GONE"))] : (own?.gateway ?? []))
  ]
}

/** Whether a reason keeps a person from starting a card, who may `force` it. */
export const holdsPerson = ({ id, kind }: WaitReason): boolean =>
  kind === "card" || kind === "time" || (kind === "person" && id !== undefined)
