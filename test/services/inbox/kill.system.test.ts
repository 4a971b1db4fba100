import { randomInt } from "node:crypto"
import { assert, it } from "@effect/vitest"
import { Effect, PubSub, Redacted, Schedule, Schema } from "effect"
import { eventually, makeConsoleLife } from "../../support/consoleLife.ts"
import { killedProcess, randomFrom } from "../../support/killedProcess.ts"

/** `INBOX_KILLS=100 npx vitest run test/services/inbox/kill.system.test.ts` does a hundred, for each generation one half. */
const KILLS = Math.max(2, Number(process.env.INBOX_KILLS ?? 20))
const SEED = Number(process.env.INBOX_SEED ?? randomInt(1_000_000))

const KILLED = new URL("./killedConsole.ts", import.meta.url)

const About = Schema.Struct({
  id: Schema.String,
  decision: Schema.optionalKey(Schema.NullOr(Schema.String)),
  status: Schema.optionalKey(Schema.String)
})
const decodeAbout = Schema.decodeUnknownEffect(About)
const Stored = Schema.Struct({
  origin: Schema.String,
  source: Schema.String,
  state: Schema.String,
  action: Schema.NullOr(Schema.String)
})
const decodeStored = Schema.decodeUnknownSync(Schema.Array(Stored))

const OUTCOMES: Readonly<Record<string, string>> = { answered: "answer", cancelled: "skip", expired: "skip" }

for (const generation of ["new", "old"] as const) {
  const kills = Math.floor(KILLS / 2)
  it.live(
    `after ${kills} x kill -9 at any moment, the inbox is what a gateway of the ${generation} generation says, and no response was read twice or not at all (seed ${SEED})`,
    () =>
      Effect.gen(function* () {
        const random = randomFrom(SEED)
        const { client, gateway, say, sayAndWait, start, svcHome } = yield* makeConsoleLife({ generation })
        const frames = yield* client.events
        /** The gateway's report of each: its outcome, or that it waits. */
        const truth = new Map<string, string | undefined>()
        yield* PubSub.take(frames).pipe(
          Effect.flatMap(({ event, payload }) =>
            Effect.gen(function* () {
              const [, name, what] = /^(exec\.approval|question)\.(requested|resolved)$/.exec(event) ?? []
              if (name === undefined) return
              const { decision, id, status } = yield* decodeAbout(payload)
              truth.set(id, what === "requested" ? undefined : (decision ?? OUTCOMES[status ?? ""]))
            })
          ),
          Effect.forever,
          Effect.forkScoped
        )
        let asked = 0
        let tasks = 1
        const askSomething = Effect.suspend(() => {
          asked += 1
          const key = `agent:main:k${asked}`
          if (random(3) === 0) {
            tasks += 1
            return sayAndWait("a task", key)
          }
          return say(random(2) === 0 ? "please approve" : "ask me three", key)
        })
        const decideElsewhere = Effect.suspend(() => {
          const waiting = [...truth].filter(([id, end]) => end === undefined && !id.startsWith("ask_"))
          const [id] = waiting[random(Math.max(1, waiting.length))] ?? []
          return id === undefined
            ? Effect.void
            : Effect.ignore(client.request("exec.approval.resolve", { id, decision: "allow-always" }, Schema.Unknown))
        })
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { proposals } = yield* start
            yield* sayAndWait("a task", "agent:main:first")
            yield* eventually(proposals, ({ length }) => length === 1)
          })
        )
        for (let kill = 0; kill < kills; kill += 1) {
          const busy = Effect.andThen(askSomething, decideElsewhere).pipe(
            Effect.repeat(Schedule.spaced("50 millis")),
            Effect.ignore
          )
          const args = [svcHome, gateway.url, Redacted.value(gateway.token)]
          yield* killedProcess({ file: KILLED, args, meanwhile: busy, afterMs: 100 + random(900) })
          yield* Effect.ignore(askSomething)
          yield* decideElsewhere
        }
        const { proposals, sqlite } = yield* start
        const stored = sqlite.read((db) =>
          decodeStored(db.all("SELECT origin, source, state, action FROM inbox_items"))
        )
        const items = Effect.map(stored, (all) =>
          all.filter(({ origin }) => origin === "exec" || origin === "question")
        )
        yield* eventually(proposals, ({ length }) => length >= tasks)
        yield* sayAndWait("a task", "agent:main:last")
        yield* eventually(proposals, ({ length }) => length > tasks)
        assert.lengthOf(yield* proposals, tasks + 1)
        const waiting = () => [...truth].filter(([, end]) => end === undefined).map(([id]) => id)
        if (generation === "new") {
          const open = Effect.map(items, (all) =>
            all.filter(({ state }) => state === "open").map(({ source }) => source)
          )
          yield* eventually(open, (ids) => ids.length === waiting().length)
          assert.deepStrictEqual((yield* open).toSorted(), waiting().toSorted())
        }
        let known = 0
        for (const { action, source, state } of yield* items) {
          if (state === "open" || action === "unknown") continue
          known += 1
          assert.strictEqual(action, truth.get(source), source)
        }
        assert.isAbove(known, 0)
      }),
    30_000 + KILLS * 5_000
  )
}
