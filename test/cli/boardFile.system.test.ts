import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { Board } from "../../src/services/board/Board.ts"
import { Settings } from "../../src/services/platform/settings/Settings.ts"
import { boardInFile } from "../support/boardStores.ts"
import { runConsole, temporaryDirectory } from "../support/runConsole.ts"
import { testSettings } from "../support/testSettings.ts"

const withBoard = <A, E>(svcHome: string, use: (board: Board["Service"]) => Effect.Effect<A, E>) =>
  Effect.flatMap(Board, use).pipe(
    Effect.provide(Layer.provide(boardInFile, Settings.layerOf(testSettings({ svcHome }))))
  )

describe("agent-console export and import", () => {
  it.live("carry a board from one home to another, without a gateway", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const home = (name: string) => join(directory, name)
      yield* withBoard(home("a"), (board) =>
        Effect.gen(function* () {
          const title = 'Carried\u0000 over \u2028 \ud83c\udf89 "quoted" \\'
          const task = yield* board.create({ title, labels: ["x", "\u00c4,y"], status: "review", estimateMin: 0.1 })
          yield* board.reject(task.id, { note: "line one\r\nline two\t" })
          yield* board.propose({ type: "update", payload: { id: task.id, description: "</script>" } })
          yield* board.updateConfig({ quickViewLimit: 9 })
        })
      )
      const file = join(directory, "board.json")
      const run = (name: string, ...args: ReadonlyArray<string>) =>
        runConsole({ directory, args, variables: { SVC_HOME: home(name) } })
      const exported = yield* run("a", "export", file)
      assert.strictEqual(exported.code, 0, exported.stderr)
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      const imported = yield* run("b", "import", file)
      assert.strictEqual(imported.stdout, "Imported 1 task and 1 proposal\n", imported.stderr)
      const again = yield* run("b", "export")
      assert.strictEqual(again.stdout, readFileSync(file, "utf8"))
      const refused = yield* run("b", "import", file)
      assert.strictEqual(refused.code, exitCodes.board)
      assert.match(refused.stderr, /^agent-console: the board isn't empty: [^\n]+--replace\n$/)
      assert.strictEqual((yield* run("b", "import", file, "--replace")).code, 0)
    })
  )

  it.live("refuse a file that is no board, and a damaged database, with one sentence", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const file = join(directory, "board.json")
      writeFileSync(file, '{"format":"agent-console-board","version":1,"tasks":[{}]}')
      const refused = yield* runConsole({ directory, args: ["import", file] })
      assert.strictEqual(refused.code, exitCodes.board)
      assert.match(refused.stderr, /^agent-console: [^\n]+ isn't an exported board: [^\n]+\n$/)
      const home = join(directory, "damaged")
      mkdirSync(home, { mode: 0o700 })
      writeFileSync(join(home, "console.db"), "no database".repeat(500))
      const damaged = yield* runConsole({ directory, args: ["export"], variables: { SVC_HOME: home } })
      assert.strictEqual(damaged.code, exitCodes.board)
      assert.include(damaged.stderr, "damaged")
      assert.strictEqual(readFileSync(join(home, "console.db"), "utf8"), "no database".repeat(500))
    })
  )
})
