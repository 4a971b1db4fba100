import { Clock, Effect } from "effect"
import { Board } from "../../services/board/Board.ts"
import type { CreateTask } from "../../services/board/taskInputs.ts"

const DAY_MS = 86_400_000

/** The demo board's initial cards. */
const sampleCards = (now: number): ReadonlyArray<CreateTask> => [
  { title: "Ideas for the spring newsletter", status: "backlog", labels: ["writing", "ideas"], priority: "low" },
  { title: "Compare three backup services", status: "backlog", labels: ["research"], estimateMin: 90 },
  {
    title: "Show me a table of everything you can do",
    description: "Open this card and press **Run with an agent**: the agent works, and you review what it hands in.",
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
  {
    title: "Find out why the nightly import takes an hour",
    status: "todo",
    labels: ["bug"],
    priority: "critical",
    assignee: "operator",
    dueAt: now - DAY_MS
  },
  { title: "Ask the printer for a quote", status: "in-progress", assignee: "operator", labels: ["newsletter"] },
  { title: "Order new business cards", status: "done", assignee: "operator", labels: ["office"] }
]

const RESULT = `Three names that nobody uses yet:

| Name | Why |
|---|---|
| **Lantern** | short, warm, easy to say |
| **Quayside** | says where the work happens |
| **Tern** | a small bird that travels far |

I would take *Lantern*.`

/** Puts a few cards and proposals on an empty board; a board in use is left alone. */
export const seedBoard = Effect.fn("seedBoard")(function* () {
  const board = yield* Board
  const { total } = yield* board.list({ statuses: [], priorities: [], limit: 1, offset: 0 })
  if (total > 0) return
  const now = yield* Clock.currentTimeMillis
  for (const card of sampleCards(now)) yield* board.create(card)
  const finished = yield* board.create({
    title: "Find a name for the new tool",
    status: "review",
    labels: ["research"],
    assignee: "agent:main"
  })
  yield* board.patch(finished.id, { version: finished.version, result: RESULT })
  const { items } = yield* board.list({ statuses: ["todo"], priorities: [], label: "release", limit: 1, offset: 0 })
  const proposedBy = "agent:main"
  yield* board.propose({
    type: "create",
    payload: {
      title: "Thank the first ten readers by name",
      description: "They answered the last newsletter within a day.",
      labels: ["newsletter"]
    },
    proposedBy
  })
  for (const { id } of items) {
    yield* board.propose({
      type: "update",
      payload: {
        id,
        description:
          "Short and friendly:\n\n- the new commands, two examples each\n- thanks to everybody who helped\n- a picture of the board",
        priority: "high"
      },
      proposedBy
    })
  }
})
