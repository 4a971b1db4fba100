import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { parseQuery } from "../../../src/services/search/query/parseQuery.ts"
import { type AskSearch, makeSearchThread } from "../../../src/services/search/SearchThread.ts"
import { ANYWHERE } from "../../../src/services/search/searchTypes.ts"
import { makeHistories } from "../../../src/services/search/sources/histories.ts"
import { temporaryFolder } from "../../support/fileServices.ts"
import { gatewayWith, writeSessions } from "../../support/manySessions.ts"
import { sessionsFolder } from "../../support/transcripts.ts"

const COUNT = 1200
const LATER = Date.parse("2030-01-01T00:00:00.000Z")

const openThread = Effect.gen(function* () {
  const home = yield* temporaryFolder
  const { ask } = yield* makeSearchThread(`${home}/search.db`, Effect.succeed(true))
  const find = (q: string) =>
    Effect.map(ask("search", { ...ANYWHERE, limit: 100, terms: parseQuery(q) }), ({ finds }) => finds)
  return { home, ask, find, messages: Effect.map(ask("counts"), ({ messages }) => messages) }
})

// `npm run bench -- search --sessions 100000` prints time and memory of a hundred thousand.
describe("very many conversations", { timeout: 300_000 }, () => {
  it.live("are asked of the gateway one at a time, stored as they come, found meanwhile, and not asked for again", () =>
    Effect.gen(function* () {
      const { ask, find, messages } = yield* openThread
      const calls = new Map<string, number>()
      const sizes: Array<number> = []
      let open = 0
      let mostOpen = 0
      let foundMidway = 0
      const gateway = gatewayWith(COUNT, (method) =>
        Effect.gen(function* () {
          const count = (calls.get(method) ?? 0) + 1
          calls.set(method, count)
          open += 1
          mostOpen = Math.max(mostOpen, open)
          if (method === "chat.history" && count === COUNT / 2)
            foundMidway = (yield* Effect.orDie(find(`valve${COUNT - 1}`))).length
          yield* Effect.yieldNow
          open -= 1
        })
      )
      const events: AskSearch = (name, ...args) => {
        for (const given of args) if (Array.isArray(given)) sizes.push(given.length)
        return ask(name, ...args)
      }
      const options = {
        gateway,
        gatewayId: "primary",
        ask: events,
        isDeleted: () => false,
        onProgress: () => {},
        pause: 0
      }
      const read = makeHistories(options)(true)
      yield* read
      assert.strictEqual(yield* messages, COUNT)
      assert.strictEqual(mostOpen, 1)
      // The newest conversations come first, and are found long before the last one is read.
      assert.strictEqual(foundMidway, 1)
      // What's sent to the thread at a time doesn't grow with what there is.
      assert.isAtMost(Math.max(...sizes), 500)
      const [hit] = yield* find("valve7")
      assert.deepInclude(hit, { key: "m7", title: "Greenhouse 7" })
      assert.strictEqual(calls.get("chat.history"), COUNT)
      yield* read
      assert.strictEqual(calls.get("chat.history"), COUNT)
      assert.strictEqual(yield* messages, COUNT)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("are read from files in steps between which others are answered, and looked at in few steps afterwards", () =>
    Effect.gen(function* () {
      const { ask, find, home, messages } = yield* openThread
      const path = sessionsFolder(home)
      writeSessions(path, COUNT)
      const scan = Effect.gen(function* () {
        yield* ask("beginScan", "primary", [{ path, agent: "main" }])
        const found: Array<number> = []
        for (let steps = 1; ; steps += 1) {
          const { isDone } = yield* ask("scan", LATER)
          if (steps % 100 === 0) found.push(yield* messages)
          if (isDone) return { steps, found }
        }
      })
      const { found } = yield* scan
      assert.isAbove(found.length, 3)
      assert.deepStrictEqual(
        found,
        found.toSorted((a, b) => a - b)
      )
      assert.isBelow(found[0] ?? COUNT, COUNT / 2)
      assert.strictEqual(yield* messages, COUNT)
      assert.deepInclude((yield* find("valve7"))[0], { title: "Greenhouse 7" })
      const again = yield* scan
      assert.isAtMost(again.steps, Math.ceil(COUNT / 500) + 1)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
