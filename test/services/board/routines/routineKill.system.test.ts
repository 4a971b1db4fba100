import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { exportBoard } from "../../../../src/services/board/boardArchive.ts"
import { BoardStore } from "../../../../src/services/board/store/BoardStore.ts"
import { Settings } from "../../../../src/services/platform/settings/Settings.ts"
import { boardInFile } from "../../../support/boardStores.ts"
import { testSettings } from "../../../support/testSettings.ts"

/** `ROUTINE_KILLS=200 npx vitest run test/services/board/routines/routineKill.system.test.ts` takes some minutes. */
const KILLS = Number(process.env.ROUTINE_KILLS ?? 3)
const MINUTE_MS = 60_000

const freshHome = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "agent-console-routines-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** Starts a writer and kills it after so many acknowledged cards. */
const killedWriter = (svcHome: string, after: number) =>
  Effect.callback<number>((resume) => {
    const writer = fileURLToPath(new URL("./routineWriter.ts", import.meta.url))
    const child = spawn(process.execPath, [writer, svcHome], { stdio: ["ignore", "pipe", "inherit"] })
    let text = ""
    child.stdout.setEncoding("utf8")
    child.stdout.on("data", (chunk: string) => {
      text += chunk
      if (text.split("\n").length > after) child.kill("SIGKILL")
    })
    child.on("close", () => resume(Effect.succeed(text.split("\n").length - 1)))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

it.live(
  `each time of a routine has exactly one card after ${KILLS} x kill -9`,
  () =>
    Effect.gen(function* () {
      const svcHome = yield* freshHome
      let acknowledged = 0
      for (let kill = 0; kill < KILLS; kill += 1) acknowledged += yield* killedWriter(svcHome, 1 + ((kill * 7) % 30))
      const { routines = [], tasks } = yield* Effect.flatMap(BoardStore, (store) => store.read(exportBoard)).pipe(
        Effect.provide(Layer.provide(boardInFile, Settings.layerOf(testSettings({ svcHome }))))
      )
      const [routine] = routines
      assert.strictEqual(routine?.made, tasks.length)
      assert.deepStrictEqual(
        tasks.map(({ task }) => Number(task.title)).toSorted((a, b) => a - b),
        Array.from(tasks, (_, index) => index + 1)
      )
      assert.strictEqual((routine?.nextAt ?? 0) - (routine?.lastAt ?? 0), MINUTE_MS)
      assert.strictEqual(
        routine?.nextAt,
        Date.parse("2026-11-30T08:01:00Z") + tasks.length * MINUTE_MS,
        "as many times as cards"
      )
      assert.isAtLeast(tasks.length, acknowledged)
      // Each kill may come between a commit and its acknowledgement.
      assert.isAtMost(tasks.length, acknowledged + KILLS)
    }),
  60_000 + KILLS * 15_000
)
