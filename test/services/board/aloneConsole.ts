import { writeSync } from "node:fs"
import { createInterface } from "node:readline"
import { Effect, Layer, Logger, Queue, Redacted } from "effect"
import { SqliteMemory } from "../../../src/layers/Sqlite.ts"
import { PostgresBoard } from "../../../src/services/board/store/postgresBoard.ts"
import { EventBus } from "../../../src/services/platform/events/EventBus.ts"
import { boardWorldOn } from "./boardWorld.ts"
import { makeFakeGateway } from "./fakeGateway.ts"

/** A board with its runs in its own process, on a gateway in memory; answers each input line with one of JSON. */
const [url = "", name = "", leaseMs = ""] = process.argv.slice(2)
const self = { device: name, owner: `${name}:1`, name, gateway: "here:18789", leaseMs: Number(leaseMs) }
const base = PostgresBoard({ url: Redacted.make(url), self }).pipe(
  Layer.provideMerge(SqliteMemory),
  Layer.merge(EventBus.layer)
)

const live = Effect.gen(function* () {
  const gateway = yield* makeFakeGateway
  const { board, runs } = yield* boardWorldOn(gateway, yield* Layer.build(base))
  const carryOut = ([what = "", id = "", more = "", text = ""]: ReadonlyArray<string>): Effect.Effect<
    unknown,
    { readonly _tag: string }
  > => {
    switch (what) {
      case "create":
        return board.create({ title: id })
      case "execute":
        return runs.execute(id, {})
      case "get":
        return board.get(id)
      case "patch":
        return board.patch(id, { version: Number(more), title: text })
      case "know":
        return Effect.sync(() => gateway.know(id, more))
      case "finish":
        return gateway.finish(id)
      default:
        return Effect.succeed({ sent: gateway.count("chat.send"), aborted: gateway.count("chat.abort") })
    }
  }
  const told = yield* Queue.unbounded<string>()
  createInterface({ input: process.stdin }).on("line", (line) => Queue.offerUnsafe(told, line))
  writeSync(1, `${JSON.stringify({ ready: Date.now() })}\n`)
  for (;;) {
    const answer = yield* Effect.result(carryOut((yield* Queue.take(told)).split(" ")))
    const said = answer._tag === "Success" ? (answer.success ?? {}) : { failed: answer.failure._tag }
    writeSync(1, `${JSON.stringify(said)}\n`)
  }
})

await Effect.runPromise(live.pipe(Effect.scoped, Effect.provide(Logger.layer([]))))
