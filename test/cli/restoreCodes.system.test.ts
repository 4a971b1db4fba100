import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { addressOf } from "../support/printed.ts"
import { runConsole, startConsole, temporaryDirectory } from "../support/runConsole.ts"
import { tarOf, writeArchive } from "../support/tarArchive.ts"

const ENV = "GATEWAY_TOKEN=x\nGATEWAY_URL=http://127.0.0.1:1\nPORT=0\n"

const lastLine = (text: string) => text.trimEnd().split("\n").at(-1) ?? ""

/** A folder with archives of every kind, and the home of a console below it. */
const place = Effect.map(temporaryDirectory, (directory) => {
  writeFileSync(join(directory, ".env"), ENV)
  const home = join(directory, "home")
  const file = (name: string) => join(directory, `${name}.tar.gz`)
  const files = [{ path: "svc/gateways.json", text: "[]" }]
  writeArchive(file("whole"), files)
  writeArchive(file("newer"), files, { version: 99, consoleVersion: "7.8.9" })
  writeFileSync(file("damaged"), tarOf([]).subarray(0, -8))
  const variables = { SVC_HOME: home }
  const command = (...args: ReadonlyArray<string>) => runConsole({ directory, args, variables })
  const start = startConsole({ directory, variables })
  return { directory, home, file, command, start }
})

describe("what a restore refuses", () => {
  it.live("is looked at in its order, with a code and a sentence for each", () =>
    Effect.gen(function* () {
      const { command, directory, file, home, start } = yield* place
      const running = yield* start
      yield* addressOf(running)
      symlinkSync("home", join(directory, "link"))
      const before = readFileSync(join(home, "device-identity.json"), "utf8")
      // A console runs with the folder, and it isn't empty, either.
      for (const [name, code, sentence] of [
        ["none", exitCodes.noArchive, /none\.tar\.gz/],
        ["damaged", exitCodes.damagedArchive, /damaged|whole/],
        ["newer", exitCodes.newerArchive, /7\.8\.9/],
        ["whole", exitCodes.inUse, new RegExp(`process ${running.child.pid}.* is running with the folder`)]
      ] as const) {
        for (const into of [home, join(directory, "link")]) {
          const refused = yield* command("restore", file(name), "--into", into)
          assert.strictEqual(refused.code, code, `${name}: ${refused.stderr}`)
          assert.match(refused.stderr, /^agent-console: [^\n]+\n$/)
          assert.match(refused.stderr, sentence)
        }
      }
      for (const [name, code] of [
        ["none", exitCodes.noArchive],
        ["damaged", exitCodes.damagedArchive],
        ["whole", exitCodes.ok]
      ] as const) {
        assert.strictEqual((yield* command("backup", "verify", file(name))).code, code, name)
      }

      // A lock whose process is gone doesn't count.
      running.child.kill("SIGKILL")
      yield* Effect.promise(() => running.ended)
      assert.isTrue(existsSync(join(home, "console.lock")))
      assert.strictEqual((yield* command("restore", file("whole"))).code, exitCodes.noPlace)
      assert.strictEqual(readFileSync(join(home, "device-identity.json"), "utf8"), before)
      const onFile = yield* command("restore", file("whole"), "--into", file("damaged"), "--replace")
      assert.strictEqual(onFile.code, exitCodes.noPlace)
      assert.strictEqual((yield* command("restore", file("whole"), "--replace")).code, exitCodes.ok)
      assert.isFalse(existsSync(join(home, "device-identity.json")))
      assert.deepStrictEqual(
        readdirSync(directory).filter((name) => name.includes(".unfinished-")),
        []
      )
      yield* addressOf(yield* start)
    }).pipe(Effect.scoped)
  )
})

describe("two backups in one second", () => {
  it.live("have names of their own", () =>
    Effect.gen(function* () {
      const { command, start } = yield* place
      yield* addressOf(yield* start)
      const made = yield* Effect.all(
        [1, 2, 3].map(() => command("backup")),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        made.map(({ code }) => code),
        [exitCodes.ok, exitCodes.ok, exitCodes.ok],
        made.map(({ stderr }) => stderr).join("")
      )
      const names = new Set(made.map(({ stdout }) => lastLine(stdout)))
      assert.strictEqual(names.size, 3)
      for (const name of names) assert.match(name, /\/home\/backups\/\d{8}-\d{6}\.tar\.gz$/)
    }).pipe(Effect.scoped)
  )
})
