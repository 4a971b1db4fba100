import { assert } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Result } from "effect"
import type { BudgetDecision, NewBudget } from "../../../src/contract/schema/budget.ts"
import { SqliteMemory } from "../../../src/layers/Sqlite.ts"
import { type Entry, heldKey, makeBudgetBook } from "../../../src/services/budgets/BudgetBook.ts"
import {
  addBudget,
  beginTurn,
  countResponse,
  decide,
  finishTurn,
  passTime,
  removeBudget
} from "../../../src/services/budgets/budgetChanges.ts"
import { newBudget } from "../../../src/services/budgets/StoredBudget.ts"
import { saveParent } from "../../../src/services/budgets/spendTable.ts"
import { makeItemStore } from "../../../src/services/inbox/ItemStore.ts"
import { listItems } from "../../../src/services/inbox/inboxTable.ts"
import { EventBus } from "../../../src/services/platform/events/EventBus.ts"
import { Sqlite } from "../../../src/services/platform/sqlite/Sqlite.ts"

const GATEWAY = "primary"

/** The budgets' book over a database that outlives it, as after a kill between two of its transactions. */
export const makeBookWorld = Effect.gen(function* () {
  const built = yield* Layer.build(Layer.mergeAll(SqliteMemory, EventBus.layer))
  const [sqlite, bus] = [Context.get(built, Sqlite), Context.get(built, EventBus)]

  /** One start of the console. */
  const start = Effect.gen(function* () {
    const book = yield* makeBudgetBook(sqlite, yield* makeItemStore(sqlite, bus), bus)
    yield* book.settleOrphans
    const write = (body: (entry: Entry) => void) =>
      book.write((entry) => {
        body(entry)
        return Result.void
      })
    const budget = (id: string) => book.pages().budgets.get(id) ?? assert.fail(`no budget ${id}`)
    return {
      book,
      budget,
      shown: (id: string) => book.shown(budget(id)),
      held: (sessionKey: string) => book.pages().held.get(heldKey({ gatewayId: GATEWAY, sessionKey })),
      isHeld: (sessionKey: string) => book.holderOf(book.workOf(GATEWAY, sessionKey)) !== undefined,
      add: (id: string, input: NewBudget) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => write((entry) => addBudget(entry, newBudget(id, input, now)))),
      remove: (id: string) => write((entry) => removeBudget(entry, budget(id))),
      spawned: (sessionKey: string, parentKey: string) =>
        write((entry) => {
          saveParent(entry.db, GATEWAY, sessionKey, parentKey)
          book.spawned(GATEWAY, sessionKey, parentKey)
        }),
      begin: (sessionKey: string, runId: string) =>
        write((entry) => beginTurn(entry, entry.workOf(GATEWAY, sessionKey), runId, entry.now)),
      end: (sessionKey: string, runId: string) =>
        write((entry) => finishTurn(entry, { gatewayId: GATEWAY, sessionKey }, runId)),
      /** A response arrives; without a time, it's from now. */
      say: (sessionKey: string, messageId: string, nano: number | undefined, at?: number) =>
        write((entry) =>
          countResponse(entry, { work: entry.workOf(GATEWAY, sessionKey), messageId, nano, at: at ?? entry.now })
        ),
      /** The gateway confirms a stop. */
      stopped: (sessionKey: string) =>
        write((entry) => {
          const session = entry.held.get(heldKey({ gatewayId: GATEWAY, sessionKey }))
          for (const { runId } of entry.running.inSession({ gatewayId: GATEWAY, sessionKey }))
            finishTurn(entry, { gatewayId: GATEWAY, sessionKey }, runId)
          if (session !== undefined) entry.move(session, { type: "aborted" })
        }),
      decide: (id: string, decision: BudgetDecision) =>
        Effect.result(book.write((entry) => decide(entry, budget(id), decision))),
      look: write(passTime),
      items: Effect.map(
        sqlite.read((db) => listItems(db, { state: undefined, kinds: [], limit: 200, offset: 0 })),
        ({ items }) => items
      )
    }
  })
  return { start, sqlite, bus }
})
