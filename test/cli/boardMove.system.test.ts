import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { Board } from "../../src/services/board/Board.ts"
import { Settings } from "../../src/services/platform/settings/Settings.ts"
import { boardInFile } from "../support/boardStores.ts"
import { freePort } from "../support/freePort.ts"
import { hasPostgres, NEEDS_POSTGRES, PASSWORD, postgresServer } from "../support/postgres.ts"
import { runConsole, temporaryDirectory } from "../support/runConsole.ts"
import { testSettings } from "../support/testSettings.ts"

const filled = (svcHome: string) =>
  Effect.gen(function* () {
    const board = yield* Board
    const title = 'Carried\u0000 over \uFDD0 \u2028 \ud83c\udf89 "quoted" \\'
    const task = yield* board.create({ title, labels: ["x", "\u00c4,y"], status: "review", estimateMin: 0.1 })
    yield* board.reject(task.id, { note: "line one\r\nline\u0000two\t" })
    for (let index = 0; index < 150; index += 1) yield* board.create({ title: `Task ${index}`, description: "d" })
    yield* board.propose({ type: "update", payload: { id: task.id, description: "</script>" } })
    yield* board.patch(task.id, {
      version: (yield* board.get(task.id)).version,
      checklist: [{ text: "a\0b", done: true }]
    })
    for (const text of ["first", "second \0 🎉"]) yield* board.comment(task.id, { text })
    yield* board.saveView("mine", { name: "Mine", layout: "list", filter: { labels: ["x"] } })
    yield* board.updateConfig({ quickViewLimit: 9 })
    yield* board.proposeFromSession(
      { sessionKey: "agent:main:x", runId: undefined, messageId: "m", at: 1 },
      `[kanban:create]{"title":"said once"}[/kanban:create]`
    )
    return task.id
  }).pipe(Effect.provide(Layer.provide(boardInFile, Settings.layerOf(testSettings({ svcHome })))))

describe.skipIf(!hasPostgres)(`agent-console board move (${NEEDS_POSTGRES})`, () => {
  it.live(
    "takes a board to PostgreSQL and back unchanged, and refuses a place that has one",
    () =>
      Effect.gen(function* () {
        const pg = yield* postgresServer(yield* Effect.promise(freePort))
        const directory = yield* temporaryDirectory
        const home = (name: string) => join(directory, name)
        yield* filled(home("a"))
        const url = pg.url("postgres")
        const run = (name: string, args: ReadonlyArray<string>, boardUrl = "", input = "") =>
          runConsole({ directory, args, input, variables: { SVC_HOME: home(name), BOARD_URL: boardUrl } })
        const before = yield* run("a", ["export"])
        assert.strictEqual(before.code, 0)

        const there = yield* run("a", ["board", "move", "--to", "-"], "", `${url}\n`)
        assert.strictEqual(there.code, 0, there.stderr)
        assert.include(there.stdout, "Copied and checked 151 tasks and 2 proposals")
        assert.strictEqual((yield* run("b", ["export"], url)).stdout, before.stdout)

        const again = yield* run("a", ["board", "move", "--to", url])
        assert.strictEqual(again.code, exitCodes.board)
        assert.include(again.stderr, "already")

        const back = yield* run("b", ["board", "move", "--to", "sqlite"], url)
        assert.strictEqual(back.code, 0, back.stderr)
        assert.strictEqual((yield* run("b", ["export"])).stdout, before.stdout)

        const nowhere = yield* run("a", ["board", "move", "--to", "mysql://somewhere"])
        assert.strictEqual(nowhere.code, exitCodes.usage)
        const away = yield* run("a", ["board", "move", "--to", pg.url("postgres", yield* Effect.promise(freePort))])
        assert.strictEqual(away.code, exitCodes.board)
        assert.include(away.stderr, "can't be reached")

        const doctor = yield* run("b", ["doctor"], url)
        assert.include(doctor.stdout, "Shared with other consoles, on PostgreSQL")
        const unwell = yield* run("b", ["doctor"], pg.url("nothing"))
        assert.include(unwell.stdout, "no database with the name")
        for (const { stderr, stdout } of [there, again, back, away, doctor, unwell]) {
          assert.notInclude(`${stdout}${stderr}`, PASSWORD)
        }
      }),
    120_000
  )
})
