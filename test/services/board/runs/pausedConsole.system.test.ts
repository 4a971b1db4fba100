import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { setTimeout as delay } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Task } from "../../../../src/contract/schema/task.ts"
import { freePort } from "../../../support/freePort.ts"
import { hasPostgres, NEEDS_POSTGRES, postgresServer } from "../../../support/postgres.ts"

/** A product's lease is 30 s and its pause two minutes: `LEASE_MS=30000 PAUSE_MS=120000 npx vitest run <this file>`. */
const LEASE_MS = Number(process.env.LEASE_MS ?? 6000)
const PAUSE_MS = Number(process.env.PAUSE_MS ?? 0)
const HOUR_MS = 3_600_000

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const decodeTask = Schema.decodeUnknownSync(Task)
const decodeReady = Schema.decodeUnknownSync(Schema.Struct({ ready: Schema.Int }))

/** A console in its own process, whose clock is wrong by so much. */
const aloneConsole = (url: string, name: string, shiftMs: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const imports = ["sourceDefines", "shiftClock"].flatMap((file) => [
        "--import",
        here(`../../../support/${file}.mjs`)
      ])
      const child = spawn(process.execPath, [...imports, here("../aloneConsole.ts"), url, name, String(LEASE_MS)], {
        env: { ...process.env, CLOCK_SHIFT_MS: String(shiftMs) },
        stdio: ["pipe", "pipe", "inherit"]
      })
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      const next = async (): Promise<unknown> => JSON.parse(String((await lines.next()).value))
      const { ready } = decodeReady(await next())
      const tell = (...words: ReadonlyArray<string>) =>
        Effect.promise(() => {
          child.stdin.write(`${words.join(" ")}\n`)
          return next()
        })
      return { child, tell, clock: ready }
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

describe.skipIf(!hasPostgres)(`a console that is paused past its lease (${NEEDS_POSTGRES})`, () => {
  for (const [first, second] of [
    [HOUR_MS, -HOUR_MS],
    [-HOUR_MS, HOUR_MS]
  ] as const) {
    it.live(
      `hands its run over and writes nothing late, with clocks wrong by ${first / HOUR_MS} and ${second / HOUR_MS} hours`,
      () =>
        Effect.gen(function* () {
          const pg = yield* postgresServer(yield* Effect.promise(freePort))
          const psql = (statement: string) => Effect.promise(() => pg.psql("postgres", statement))
          const serverTime = Effect.map(psql("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"), Number)
          const paused = yield* aloneConsole(pg.url("postgres"), "paused", first)
          const heir = yield* aloneConsole(pg.url("postgres"), "heir", second)
          assert.isAbove(Math.abs(paused.clock - heir.clock), HOUR_MS)

          const before = yield* serverTime
          const made = decodeTask(yield* paused.tell("create", "T"))
          const { id } = made
          const get = (from: typeof heir) => Effect.map(from.tell("get", id), decodeTask)
          const until = (from: typeof heir, isSo: (task: Task) => boolean): Effect.Effect<Task> =>
            Effect.flatMap(get(from), (task) =>
              isSo(task) ? Effect.succeed(task) : Effect.andThen(Effect.sleep("100 millis"), until(from, isSo))
            )
          const started = decodeTask(yield* paused.tell("execute", id))
          const after = yield* serverTime
          for (const time of [made.createdAt, started.updatedAt, started.run?.startedAt ?? 0]) {
            assert.isAtLeast(time, before)
            assert.isAtMost(time, after)
          }
          const { sessionKey = "", runId = "" } = started.run ?? {}
          // Both have the same gateway, so the new owner's double gets the state that the real one would have.
          yield* heir.tell("know", sessionKey, runId)

          // The lease is lengthened past its first end, and nobody takes the run.
          const ends = new Set<string>()
          while (ends.size < 5) {
            ends.add(yield* psql("SELECT lease_until FROM agent_console.task_runs"))
            assert.strictEqual((yield* get(heir)).run?.console, "paused")
            yield* Effect.promise(() => delay(200))
          }

          paused.child.kill("SIGSTOP")
          const taken = yield* until(heir, ({ run }) => run?.console === "heir")
          assert.strictEqual(taken.status, "in-progress")
          yield* Effect.promise(() => delay(PAUSE_MS))
          paused.child.kill("SIGCONT")
          // It resumes, learns from its gateway that the agent is done, and writes its outdated state.
          yield* paused.tell("finish", "Late")
          assert.deepStrictEqual(yield* paused.tell("patch", id, String(started.version), "late"), {
            failed: "VersionConflict"
          })
          yield* Effect.promise(() => delay(LEASE_MS))
          assert.deepStrictEqual(yield* get(heir), taken)

          yield* heir.tell("finish", "Done.")
          const done = yield* until(heir, ({ status }) => status === "review")
          assert.strictEqual(done.result, "Done.")
          assert.strictEqual(done.title, "T")
          assert.deepStrictEqual(yield* get(paused), done)
          assert.deepStrictEqual(yield* paused.tell("count"), { sent: 1, aborted: 0 })
          assert.deepStrictEqual(yield* heir.tell("count"), { sent: 0, aborted: 0 })
          assert.strictEqual(yield* psql("SELECT count(*) FROM agent_console.task_runs"), "0")
        }),
      60_000 + LEASE_MS * 8 + PAUSE_MS
    )
  }
})
