import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { searchReport } from "../../src/cli/search.ts"
import { consoleAddress } from "../support/consoleAddress.ts"
import { runConsole, startConsole, temporaryDirectory } from "../support/runConsole.ts"
import { answerLine, lines, sessionsFolder, write } from "../support/transcripts.ts"

const variables = (directory: string) => ({
  GATEWAY_TOKEN: "token",
  GATEWAY_URL: "http://127.0.0.1:1",
  GATEWAY_HOME: join(directory, "gateway"),
  SVC_HOME: join(directory, "home"),
  PORT: "0"
})

const searchIn = (directory: string, ...args: ReadonlyArray<string>) =>
  runConsole({ directory, args: ["search", ...args], variables: variables(directory) })

const accessFile = (directory: string) => join(directory, "home", "local-access.json")

describe("agent-console search", () => {
  it.live("prints what the running console finds, also while sign-in is on", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const folder = sessionsFolder(join(directory, "gateway"))
      write(folder, "sessions.json", JSON.stringify({ "agent:main:garden": { sessionId: "s1", label: "Garden" } }))
      write(folder, "s1.jsonl", lines(answerLine({ text: "The new pump\u001b[31m arrived\u202e." })))
      const running = yield* startConsole({
        directory,
        variables: { ...variables(directory), SVC_AUTH: "true", LOG_LEVEL: "info" }
      })
      yield* consoleAddress(running)
      assert.strictEqual(statSync(accessFile(directory)).mode & 0o777, 0o600)
      const ready = yield* searchIn(directory, "pump").pipe(
        Effect.repeat({ schedule: Schedule.spaced("100 millis"), until: ({ code }) => code === exitCodes.ok }),
        Effect.timeout("30 seconds")
      )
      assert.match(
        ready.stdout,
        /^\d{4}-\d\d-\d\d \d\d:\d\d {2}message {2}Garden · assistant\n {4}The new pump \[31m arrived \.\n\n1 hit\./
      )
      assert.strictEqual(ready.stderr, "")

      const json = yield* searchIn(directory, "--json", "--kind", "message", "pump")
      assert.deepInclude(JSON.parse(json.stdout).hits[0], { sessionKey: "agent:main:garden", messageId: "01e6350b" })
      const without = yield* searchIn(directory, "--", "pump", "-new")
      assert.deepStrictEqual([without.code, without.stdout], [exitCodes.nothingFound, "Nothing found.\n"])
      const odd = yield* searchIn(directory, "--kind", "nothing", "pump")
      assert.strictEqual(odd.code, exitCodes.usage)
      assert.match(odd.stderr, /^agent-console: kind[^\n]*\n$/)
      // What was looked for is in no log.
      const logged = running.stdout()
      assert.include(logged, "GET /api/search 200")
      assert.notInclude(logged, "pump")

      const { address } = JSON.parse(readFileSync(accessFile(directory), "utf8"))
      writeFileSync(accessFile(directory), JSON.stringify({ address, secret: "another" }))
      const refused = yield* searchIn(directory, "pump")
      assert.strictEqual(refused.code, exitCodes.search)
      assert.match(refused.stderr, /^agent-console: the running console doesn't accept the secret [^\n]*\n$/)
      writeFileSync(accessFile(directory), "{")
      assert.match((yield* searchIn(directory, "pump")).stderr, /local-access\.json in the console's folder is damaged/)
    }).pipe(Effect.scoped)
  )

  it.live("says so when no console is running, also when one was killed", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const none = yield* searchIn(directory, "pump")
      assert.strictEqual(none.code, exitCodes.noConsole)
      assert.match(none.stderr, /^agent-console: no console is running [^\n]*\n$/)
      mkdirSync(join(directory, "home"))
      writeFileSync(accessFile(directory), JSON.stringify({ address: "http://127.0.0.1:1", secret: "old" }))
      chmodSync(accessFile(directory), 0o600)
      assert.strictEqual((yield* searchIn(directory, "pump")).code, exitCodes.noConsole)
    }).pipe(Effect.scoped)
  )

  it.live("takes its secret along when it ends", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const running = yield* startConsole({ directory, variables: variables(directory) })
      yield* consoleAddress(running)
      assert.isTrue(existsSync(accessFile(directory)))
      running.child.kill("SIGTERM")
      yield* Effect.promise(() => running.ended)
      assert.isFalse(existsSync(accessFile(directory)))
    }).pipe(Effect.scoped)
  )
})

describe("the report", () => {
  it("shows hits in bold where the terminal can, and says when more are to come", () => {
    const hit = {
      kind: "task",
      gatewayId: "primary",
      taskId: "t1",
      at: 0,
      snippet: [{ text: "pump", hit: true }]
    } as const
    const report = searchReport({ hits: [hit], cursor: "x", state: "building", progress: 0.426 }, true)
    assert.include(report, "card  t1\n    \u001b[1mpump\u001b[0m\n")
    assert.isTrue(report.endsWith("The newest 1 hit; there are more (--limit). The index is still being built (42 %)."))
    const anew = searchReport({ hits: [], state: "building", progress: 0, anew: "its file was damaged" }, false)
    assert.strictEqual(anew, "Nothing found. The index is being rebuilt because its file was damaged (0 %).")
    const paused = searchReport({ hits: [], state: "ready", paused: "free up some space" }, false)
    assert.strictEqual(paused, "Nothing found. The index is paused: free up some space.")
  })
})
