import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Console, Effect, Fiber, Schema } from "effect"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { readArchive } from "../../src/services/machine/backup/archive.ts"
import { restoreBackup } from "../../src/services/machine/backup/restoreBackup.ts"
import { consoleAddress } from "../support/consoleAddress.ts"
import { runConsole, startConsole, temporaryDirectory } from "../support/runConsole.ts"

const DIE_AT_STEP = new URL("../support/dieAtStep.mjs", import.meta.url).href

/** An ordinary test run does one; `BACKUP_ROUNDS=50 BACKUP_MINUTES=10 npx vitest run --project system test/cli/backup.system.test.ts` is the long one. */
const ROUNDS = Number(process.env.BACKUP_ROUNDS ?? 1)
/** Over how long the rounds are spread, while cards are written all the time. */
const MINUTES = Number(process.env.BACKUP_MINUTES ?? 0)
/** More than a restore has steps; the last one isn't killed. */
const MOST_STEPS = 80
const WRITERS = 4

const variables = (directory: string) => ({
  GATEWAY_HOME: join(directory, "gateway"),
  SVC_HOME: join(directory, "home"),
  PORT: "0"
})

const ENV = "GATEWAY_TOKEN=of-the-gateway\nGATEWAY_URL=http://127.0.0.1:1\nAGENT_NAME=Garden\n"

const prepared = Effect.map(temporaryDirectory, (directory) => {
  writeFileSync(join(directory, ".env"), ENV)
  mkdirSync(join(directory, "gateway/workspace/memory"), { recursive: true })
  writeFileSync(join(directory, "gateway/workspace/MEMORY.md"), "# Garden\n")
  writeFileSync(join(directory, "gateway/workspace/SOUL.md"), "kind\n")
  writeFileSync(join(directory, "gateway/workspace/memory/2026-11-28.md"), "rain\n")
  return directory
})

const command = (directory: string, ...args: ReadonlyArray<string>) =>
  runConsole({ directory, args, variables: variables(directory) })

const started = (directory: string) =>
  Effect.flatMap(startConsole({ directory, variables: variables(directory) }), consoleAddress)

const decodeTask = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.String }))
let calls = 0
const addTask = (url: string) => {
  calls += 1
  // Another client behind the trusted proxy each time: the rate limit is not the subject here.
  const headers = { "x-forwarded-for": `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}` }
  const body = JSON.stringify({ title: `card ${calls}`, description: "d".repeat(2000) })
  return Effect.promise(() =>
    fetch(`${url}/api/kanban/tasks`, { method: "POST", headers, body }).then((answer) =>
      answer.text().then((text) => {
        assert.strictEqual(answer.status, 201, text)
        return decodeTask(JSON.parse(text)).id
      })
    )
  )
}

const idsIn = (home: string): ReadonlySet<unknown> => {
  const db = new DatabaseSync(join(home, "console.db"))
  const ids = new Set(
    db
      .prepare("SELECT id FROM tasks")
      .all()
      .map(({ id }) => id)
  )
  assert.strictEqual(db.prepare("PRAGMA integrity_check").get()?.integrity_check, "ok")
  db.close()
  return ids
}

const lastLine = (text: string) => text.trimEnd().split("\n").at(-1) ?? ""

describe("agent-console backup", () => {
  it.live(
    `of a console that is written to holds every change that was confirmed before, ${ROUNDS} times`,
    () =>
      Effect.gen(function* () {
        const directory = yield* prepared
        const url = yield* started(directory)
        const confirmed: Array<string> = []
        const write = Effect.forever(
          Effect.map(
            Effect.suspend(() => addTask(url)),
            (id) => confirmed.push(id)
          )
        )
        const writers = yield* Effect.forkScoped(
          Effect.all(
            Array.from({ length: WRITERS }, () => write),
            { concurrency: "unbounded", discard: true }
          )
        )
        let lost = 0
        let during = 0
        const start = yield* Clock.currentTimeMillis
        for (let round = 0; round < ROUNDS; round += 1) {
          const due = start + (round * MINUTES * 60_000) / ROUNDS
          yield* Effect.sleep(Math.max(0, due - (yield* Clock.currentTimeMillis)))
          const before = [...confirmed]
          const file = join(directory, `${round}.tar.gz`)
          const made = yield* command(directory, "backup", file)
          assert.deepStrictEqual([made.code, lastLine(made.stdout)], [exitCodes.ok, file], made.stderr)
          during += confirmed.length - before.length
          const into = join(directory, `restored-${round}`)
          yield* restoreBackup(file, { into, replace: false })
          const found = idsIn(into)
          lost += before.filter((id) => !found.has(id)).length
          // The disk has no room for all of them.
          rmSync(into, { recursive: true })
          rmSync(file)
        }
        // A writer whose change was refused has ended before.
        assert.isUndefined(writers.pollUnsafe(), String(writers.pollUnsafe()))
        yield* Fiber.interrupt(writers)
        const seconds = Math.round(((yield* Clock.currentTimeMillis) - start) / 1000)
        if (ROUNDS > 1) {
          yield* Console.log(
            `${ROUNDS} backups in ${seconds} s, while ${during} of ${confirmed.length} cards were written: ${lost} confirmed ones lost`
          )
        }
        assert.strictEqual(lost, 0)
        assert.isAbove(during, 0)
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
    120_000 + ROUNDS * 30_000
  )

  it.live("holds settings, and on request the agents' files, with and without a running console", () =>
    Effect.gen(function* () {
      const directory = yield* prepared
      const home = join(directory, "home")
      const none = yield* command(directory, "backup")
      assert.strictEqual(none.code, exitCodes.home)

      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* addTask(yield* started(directory))
          writeFileSync(
            join(home, "gateways.json"),
            '[{"id":"work","name":"Work","url":"http://127.0.0.1:2","token":"of-work"}]\n'
          )
          mkdirSync(join(home, "uploads", "n".repeat(120)), { recursive: true })
          writeFileSync(join(home, "uploads", "n".repeat(120), "f".repeat(120)), "far down")
          const made = yield* command(directory, "backup", "--gateway-home")
          assert.strictEqual(made.code, exitCodes.ok, made.stderr)
          const file = lastLine(made.stdout)
          assert.match(file, /\/home\/backups\/\d{8}-\d{6}\.tar\.gz$/)
          assert.strictEqual(statSync(file).mode & 0o777, 0o600)
          const paths = (yield* readArchive(file)).files.map(({ path }) => path)
          assert.deepStrictEqual(paths, [
            "gateway/workspace/MEMORY.md",
            "gateway/workspace/SOUL.md",
            "gateway/workspace/memory/2026-11-28.md",
            "settings/.env",
            "svc/console.db",
            "svc/device-identity.json",
            "svc/gateways.json",
            `svc/uploads/${"n".repeat(120)}/${"f".repeat(120)}`
          ])
          const busy = yield* command(directory, "restore", file, "--replace")
          assert.strictEqual(busy.code, exitCodes.inUse)
          assert.isTrue(existsSync(join(home, "console.lock")))
        })
      )

      const file = join(directory, "plain.tar.gz")
      const made = yield* command(directory, "backup", file, "--without-secrets")
      assert.strictEqual(made.code, exitCodes.ok, made.stderr)
      assert.strictEqual((yield* command(directory, "backup", file)).code, exitCodes.noPlace)
      assert.strictEqual((yield* command(directory, "backup", join(directory, "none/x"))).code, exitCodes.noPlace)
      assert.strictEqual((yield* command(directory, "backup", "verify", file)).code, exitCodes.ok)
      assert.strictEqual((yield* command(directory, "restore", file)).code, exitCodes.noPlace)
      const restored = yield* command(directory, "restore", file, "--replace")
      assert.strictEqual(restored.code, exitCodes.ok, restored.stderr)
      assert.include(restored.stdout, "restored/settings/.env")
      assert.strictEqual(
        readFileSync(join(home, "restored/settings/.env"), "utf8"),
        ENV.split("\n").slice(1).join("\n")
      )
      assert.notInclude(readFileSync(join(home, "gateways.json"), "utf8"), "of-work")
      assert.isFalse(existsSync(join(home, "device-identity.json")))

      // A console that starts on it makes new keys, and has the gateway without its token.
      const url = yield* started(directory)
      assert.isTrue(existsSync(join(home, "device-identity.json")))
      const listed = yield* Effect.promise(() => fetch(`${url}/api/gateways`).then((answer) => answer.text()))
      assert.include(listed, '"work"')
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live(
    "a restore that is killed at any of its steps leaves the old folder or the new one",
    () =>
      Effect.gen(function* () {
        const directory = yield* prepared
        const home = join(directory, "home")
        mkdirSync(home)
        writeFileSync(join(home, "version"), "new")
        const file = join(directory, "a.tar.gz")
        assert.strictEqual((yield* command(directory, "backup", file)).code, exitCodes.ok)
        writeFileSync(join(home, "version"), "old")
        const seen: Array<string> = []
        for (let step = 1; step <= MOST_STEPS; step += 1) {
          const ended = yield* runConsole({
            directory,
            args: ["restore", file, "--replace"],
            nodeArgs: ["--import", DIE_AT_STEP],
            variables: { ...variables(directory), DIE_AT: String(step), DIE_IN: "home" }
          })
          const aside = readdirSync(directory).filter((name) => name.startsWith("home.before-"))
          const isAbsent = !existsSync(home)
          const at = isAbsent ? join(directory, aside.at(-1) ?? "") : home
          const version = readFileSync(join(at, "version"), "utf8")
          seen.push(
            `${step} ${ended.code === null ? "killed" : ended.code} ${isAbsent ? "absent" : "there"} ${version}`
          )
          assert.include(["old", "new"], version)
          if (ended.code === 0) break
          if (version === "old") assert.isFalse(existsSync(join(home, "restored")))
          // The next restore puts back what was put aside, and then finds a folder that isn't empty.
          if (isAbsent) {
            assert.strictEqual((yield* command(directory, "restore", file)).code, exitCodes.noPlace)
            assert.strictEqual(readFileSync(join(home, "version"), "utf8"), "old")
          }
        }
        assert.isTrue(
          seen.some((line) => line.endsWith("killed absent old")),
          seen.join("\n")
        )
        const done = yield* command(directory, "restore", file, "--replace")
        assert.strictEqual(done.code, exitCodes.ok, done.stderr)
        assert.strictEqual(readFileSync(join(home, "version"), "utf8"), "new")
        assert.deepStrictEqual(
          readdirSync(directory).filter((name) => name.includes(".unfinished-")),
          []
        )
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
    600_000
  )
})
