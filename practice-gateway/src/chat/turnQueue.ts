import type { TurnRequest } from "./runTypes.ts"

/** What stands behind a session's running turn: `handed` is for that turn, `waiting` gets turns of its own. */
export interface TurnQueue<A> {
  readonly handed: ReadonlyArray<A>
  readonly waiting: ReadonlyArray<A>
}

export const NOTHING_QUEUED: TurnQueue<never> = { handed: [], waiting: [] }

/**
 * Where a message goes that comes while a turn is running and that answers no question. The run of a chat message that
 * waits ends at once with nothing to show (`apart`), and its answer comes under a run id of its own.
 */
export const placeOf = (
  { kind, steers }: Pick<TurnRequest, "kind" | "steers">,
  hands: boolean
): "handed" | "waiting" | "apart" => {
  if (kind !== "chat") return "waiting"
  return steers === true && hands ? "handed" : "apart"
}

export const withHanded = <A>(queue: TurnQueue<A>, one: A): TurnQueue<A> => ({
  ...queue,
  handed: [...queue.handed, one]
})

export const withWaiting = <A>(queue: TurnQueue<A>, one: A): TurnQueue<A> => ({
  ...queue,
  waiting: [...queue.waiting, one]
})

/** What was handed to a turn that has ended gets a turn of its own, after what waits already. */
export const afterTurn = <A>({ handed, waiting }: TurnQueue<A>): TurnQueue<A> => ({
  handed: [],
  waiting: [...waiting, ...handed]
})
