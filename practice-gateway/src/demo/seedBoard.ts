import { Clock, Effect } from "effect"
import type { CreateTask } from "../../../src/contract/schema/taskInputs.ts"
import { Board } from "../../../src/services/board/Board.ts"
import type { BoardShape } from "../../../src/services/board/BoardShape.ts"
import type { Spent } from "./seedUsage.ts"

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The demo board's initial cards that nobody has worked on yet. */
const sampleCards = (now: number): ReadonlyArray<CreateTask> => [
  { title: "Ideas for the spring newsletter", status: "backlog", labels: ["writing", "ideas"], priority: "low" },
  { title: "Compare three backup services", status: "backlog", labels: ["research"], estimateMin: 90 },
  {
    title: "Show me a table of everything you can do",
    description: "Open this card and press **Run with main**: the agent works, and its result is on the card.",
    status: "todo",
    labels: ["start here"],
    priority: "high",
    assignee: "agent:main"
  },
  {
    title: "Write the release notes for version 2",
    description: "Short and friendly:\n\n- the new commands, one example each\n- thanks to everybody who helped",
    status: "todo",
    labels: ["writing", "release"],
    assignee: "agent:main",
    dueAt: now + 2 * DAY_MS,
    estimateMin: 45
  },
  { title: "Ask the printer for a quote", status: "in-progress", assignee: "operator", labels: ["newsletter"] }
]

const NAMES = `Three names that nobody uses yet:

| Name | Why |
|---|---|
| **Lantern** | short, warm, easy to say |
| **Quayside** | says where the work happens |
| **Tern** | a small bird that travels far |

I would take *Lantern*: both domains are free, and it reads well beside the lamp in the logo.`

const BOATS = `Last week 28 boats came in, five more than the week before. Friday was the busiest day; on Saturday the fog kept everyone out.`

/** A card that an agent has worked on. */
interface Worked {
  readonly card: CreateTask
  /** How long ago its run began, and how long it took. */
  readonly ago: number
  readonly took: number
  readonly outcome: { readonly result: string } | { readonly error: string }
  readonly isApproved?: boolean
  /** How much it cost, in answers. */
  readonly answers: number
}

const workedCards = (now: number): ReadonlyArray<Worked> => [
  {
    card: {
      title: "Find a name for the new tool",
      description: "Short, easy to say in English and German, and not taken yet.",
      status: "todo",
      labels: ["research"],
      assignee: "agent:main"
    },
    ago: 26 * MINUTE_MS,
    took: 94_000,
    outcome: { result: NAMES },
    answers: 6
  },
  {
    card: {
      title: "Find out why the nightly import takes an hour",
      description: "It took six minutes until last Tuesday.",
      status: "todo",
      labels: ["bug"],
      priority: "critical",
      assignee: "agent:coder",
      dueAt: now - DAY_MS
    },
    ago: 3 * HOUR_MS,
    took: 241_000,
    outcome: { error: "this model didn't respond in time: run the task again, or choose another model" },
    answers: 9
  },
  {
    card: { title: "Count last week's boats", status: "todo", labels: ["harbour"], assignee: "agent:main" },
    ago: DAY_MS,
    took: 37_000,
    outcome: { result: BOATS },
    isApproved: true,
    answers: 3
  }
]

/** What happens now happened a while ago. */
const backThen = <A, E, R>(at: number, then: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Clock.Clock, (clock) =>
    Effect.provideService(then, Clock.Clock, {
      ...clock,
      currentTimeMillisUnsafe: () => at,
      currentTimeMillis: Effect.succeed(at)
    })
  )

const addWorked = Effect.fnUntraced(function* (board: BoardShape, now: number, worked: Worked) {
  const { answers, card, outcome, took } = worked
  const at = now - worked.ago
  const { id } = yield* backThen(at - DAY_MS, board.create(card))
  const { run } = yield* backThen(at, board.begin(id, {}, card.assignee === "agent:coder" ? "coder" : "main"))
  yield* backThen(at + took, board.complete(id, outcome))
  if (worked.isApproved === true) yield* backThen(at + HOUR_MS, board.approve(id, {}))
  return run === undefined ? [] : [{ sessionKey: run.sessionKey, at, answers }]
})

/** Puts cards and proposals on an empty board, and tells what its runs took; a board in use is left alone. */
export const seedBoard = Effect.fn("seedBoard")(function* () {
  const board = yield* Board
  const { total } = yield* board.list({ statuses: [], priorities: [], limit: 1, offset: 0 })
  const spent: Array<Spent> = []
  if (total > 0) return spent
  const now = yield* Clock.currentTimeMillis
  for (const card of sampleCards(now)) yield* backThen(now - 2 * DAY_MS, board.create(card))
  for (const worked of workedCards(now)) spent.push(...(yield* addWorked(board, now, worked)))
  const { items } = yield* board.list({ statuses: ["todo"], priorities: [], label: "release", limit: 1, offset: 0 })
  const proposedBy = "agent:main"
  yield* backThen(
    now - 40 * MINUTE_MS,
    board.propose({
      type: "create",
      payload: {
        title: "Thank the first ten readers by name",
        description: "They answered the last newsletter within a day.",
        labels: ["newsletter"]
      },
      proposedBy
    })
  )
  for (const { id } of items) {
    yield* backThen(
      now - 35 * MINUTE_MS,
      board.propose({
        type: "update",
        payload: {
          id,
          description:
            "Short and friendly:\n\n- the new commands, two examples each\n- thanks to everybody who helped\n- a picture of the board",
          priority: "high"
        },
        proposedBy
      })
    )
  }
  return spent
})
