import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Board } from "../../../src/services/board/Board.ts"
import { Settings } from "../../../src/services/platform/settings/Settings.ts"
import { boardInFile } from "../../support/boardStores.ts"
import { testSettings } from "../../support/testSettings.ts"

/** 200 kills take a minute; an ordinary test run does a few, `BOARD_KILLS=200 npx vitest run test/services/board/crash.test.ts` all. */
const KILLS = Number(process.env.BOARD_KILLS ?? 3)

const freshHome = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "agent-console-crash-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** Changes that share commits: as many as wait at the same moment. */
const WRITERS = 8

/** Starts writers, kills them after some acknowledged changes, and gives back the last version of each task it was told. */
const killedWriter = (svcHome: string, name: string, after: number) =>
  Effect.callback<ReadonlyMap<string, number>>((resume) => {
    const writer = fileURLToPath(new URL("./crashWriter.ts", import.meta.url))
    const child = spawn(process.execPath, [writer, svcHome, name, String(WRITERS)], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    let text = ""
    child.stdout.setEncoding("utf8")
    child.stdout.on("data", (chunk: string) => {
      text += chunk
      if (text.split("\n").length > after) child.kill("SIGKILL")
    })
    child.on("close", () => {
      const acknowledged = new Map<string, number>()
      for (const line of text.split("\n").slice(0, -1)) {
        const [id = "", version] = line.split(" ")
        acknowledged.set(id, Number(version))
      }
      resume(Effect.succeed(acknowledged))
    })
    return Effect.sync(() => child.kill("SIGKILL"))
  })

it.live(
  `no acknowledged change is lost and none is half-written by ${KILLS} x kill -9`,
  () =>
    Effect.gen(function* () {
      const svcHome = yield* freshHome
      const acknowledged = new Map<string, number>()
      for (let kill = 0; kill < KILLS; kill += 1) {
        for (const [id, version] of yield* killedWriter(svcHome, `w${kill}`, 1 + ((kill * 7) % 40))) {
          acknowledged.set(id, version)
        }
      }
      const layer = Layer.provide(boardInFile, Settings.layerOf(testSettings({ svcHome })))
      yield* Effect.gen(function* () {
        const board = yield* Board
        for (const [id, version] of acknowledged) {
          assert.isAtLeast((yield* board.get(id)).version, version)
        }
        let seen = 0
        const places = new Map<string, number>()
        for (let offset = 0; ; offset += 200) {
          const page = yield* board.list({ statuses: [], priorities: [], limit: 200, offset })
          for (const task of page.items) {
            const place = places.get(task.status) ?? 0
            assert.strictEqual(task.columnOrder, place)
            places.set(task.status, place + 1)
            const comments = yield* board.comments(task.id)
            assert.strictEqual(comments.length, task.commentCount ?? 0)
            assert.isTrue(comments.every(({ text }) => text === "c".repeat(200)))
            assert.strictEqual(task.version, task.status === "done" ? 2 + comments.length : 1)
            assert.strictEqual(task.description, "d".repeat(200))
            assert.deepStrictEqual(task.labels, ["a", "b"])
          }
          seen += page.items.length
          if (!page.hasMore) break
        }
        // At most one change of each writer was on disk before it could say so.
        assert.isAtLeast(seen, acknowledged.size)
        assert.isAtMost(seen, acknowledged.size + KILLS * WRITERS)
      }).pipe(Effect.provide(layer))
    }),
  30_000 + KILLS * 5000
)
