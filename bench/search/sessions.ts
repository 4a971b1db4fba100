import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { Effect, Logger } from "effect"
import { type AskSearch, makeSearchThread } from "../../src/services/search/SearchThread.ts"
import { makeHistories } from "../../src/services/search/sources/histories.ts"
import { gatewayWith, writeSessions } from "../../test/support/manySessions.ts"
import { LATER } from "./corpus.ts"
import { report, residentNow } from "./times.ts"

/** Watches memory, how long the event loop is blocked, and how long each request to the thread takes. */
const watched = Effect.fnUntraced(function* (
  name: string,
  count: number,
  ask: AskSearch,
  work: (ask: AskSearch) => Effect.Effect<void, { readonly message: string }>
) {
  globalThis.gc?.()
  const atFirst = residentNow()
  let resident = atFirst
  let lag = 0
  let due = performance.now() + 10
  const timer = setInterval(() => {
    lag = Math.max(lag, performance.now() - due)
    due = performance.now() + 10
    resident = Math.max(resident, residentNow())
  }, 10)
  const asks: Array<number> = []
  const timedAsk: AskSearch = (operation, ...args) =>
    Effect.suspend(() => {
      const from = performance.now()
      return Effect.tap(ask(operation, ...args), () =>
        Effect.sync(() => {
          asks.push(performance.now() - from)
        })
      )
    })
  const begun = performance.now()
  yield* work(timedAsk)
  const took = performance.now() - begun
  clearInterval(timer)
  console.log(
    `${name}: ${(took / 1000).toFixed(1)} s, ${(took / count).toFixed(2)} ms a conversation; memory ${atFirst.toFixed(0)} MB before, ${resident.toFixed(0)} MB at most; event loop blocked ${lag.toFixed(0)} ms at most`
  )
  report("  one step, for which a search may wait", asks)
})

const scan = (folder: string) => (ask: AskSearch) =>
  Effect.gen(function* () {
    yield* ask("beginScan", "primary", [{ path: folder, agent: "main" }])
    while (!(yield* ask("scan", LATER)).isDone) yield* Effect.void
  })

const measure = (home: string, count: number) =>
  Effect.gen(function* () {
    const folder = join(home, "agents/main/sessions")
    mkdirSync(folder, { recursive: true })
    writeSessions(folder, count)
    console.log(`${count} conversations of one message each`)
    const files = yield* makeSearchThread(join(home, "files.db"), Effect.succeed(true))
    yield* watched("files, the first time", count, files.ask, scan(folder))
    yield* watched("files, nothing has changed", count, files.ask, scan(folder))
    const { messages } = yield* files.ask("counts")
    if (messages !== count) throw new Error(`the index has ${messages} messages`)
    yield* files.stop

    const told = yield* makeSearchThread(join(home, "histories.db"), Effect.succeed(true))
    const gateway = gatewayWith(count)
    const read = (ask: AskSearch) =>
      makeHistories({ gateway, gatewayId: "primary", ask, isDeleted: () => false, onProgress: () => {}, pause: 0 })(
        true
      )
    yield* watched("histories, without the pauses between calls, the first time", count, told.ask, read)
    yield* watched("histories, nothing has changed", count, told.ask, read)
    const found = yield* told.ask("counts")
    if (found.messages !== count) throw new Error(`the index has ${found.messages} messages`)
  }).pipe(Effect.scoped, Effect.provide(Logger.layer([])))

/** Reading very many conversations, from files and from the gateway. */
export const benchSessions = (home: string, count: number): Promise<void> => Effect.runPromise(measure(home, count))
