import { Clock, Effect } from "effect"
import { Board } from "../../../src/services/board/Board.ts"
import { HARBOUR_GUIDE } from "./harbourGuide.ts"

/** Time to open the board before its first card starts. */
const FIRST_START_MS = 30_000
/** What a person does. */
const QUOTE = "Ask the printer for a quote"

/**
 * Puts a card with four parts on the board: three that an agent does one after the other by itself, and one that waits
 * for them and for a card of a person.
 */
export const seedFamily = Effect.fn("seedFamily")(function* () {
  const board = yield* Board
  const now = yield* Clock.currentTimeMillis
  // A card that waited for a review at each step wouldn't run to the end by itself.
  yield* board.updateConfig({ reviewRequired: false })
  const { items } = yield* board.list({ statuses: ["in-progress"], priorities: [], limit: 200, offset: 0 })
  const quote = items.filter(({ title }) => title === QUOTE).map(({ id }) => id)
  const guide = yield* board.create({
    title: "Publish the harbour guide",
    description:
      "Its parts start by themselves: each waits for the ones before it and gets their results. The last one also waits for you: move **Ask the printer for a quote** to Done, and it starts.",
    status: "todo",
    labels: ["guide"]
  })
  const part = {
    status: "todo",
    labels: ["guide"],
    parentId: guide.id,
    assignee: "agent:main",
    autoStart: true
  } as const
  const after: Array<string> = []
  for (const [at, { description, title }] of HARBOUR_GUIDE.entries()) {
    const others = at === HARBOUR_GUIDE.length - 1 ? quote : []
    const waits = { after: [...after, ...others], startAt: now + FIRST_START_MS }
    const { id } = yield* board.create({ ...part, title, description, ...waits })
    after.push(id)
  }
})
