import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { type Acknowledged, acknowledgedIn, checkCrashedBoard } from "./crashedBoard.ts"

/** 200 kills take a minute; an ordinary test run does a few, `BOARD_KILLS=200 npx vitest run test/services/board/crash.system.test.ts` all. */
const KILLS = Number(process.env.BOARD_KILLS ?? 3)

const freshHome = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "agent-console-crash-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** Changes that share commits: as many as wait at the same moment. */
const WRITERS = 8

/** Starts writers, kills them after some acknowledged changes, and returns the last acknowledged version of each task. */
const killedWriter = (svcHome: string, name: string, after: number) =>
  Effect.callback<Acknowledged>((resume) => {
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
      resume(Effect.succeed(acknowledgedIn(text)))
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
      yield* checkCrashedBoard(svcHome, acknowledged, KILLS * WRITERS)
    }),
  30_000 + KILLS * 5000
)
