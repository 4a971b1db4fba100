import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { canCutPower, cutDisk, freeze } from "../../../support/powerCut.ts"
import { acknowledgedIn, checkCrashedBoard } from "./crashedBoard.ts"

/** A few in an ordinary run; `POWER_CUTS=100 npx vitest run test/services/board/powerCut.system.test.ts` tries more moments. */
const CUTS = Number(process.env.POWER_CUTS ?? 3)

const WRITERS = 8

const WRITER = fileURLToPath(new URL("./crashWriter.ts", import.meta.url))

/** Writers on a disk, stopped after so many acknowledged changes; `end` returns the acknowledgements. */
const stoppedWriters = (svcHome: string, after: number) =>
  Effect.callback<{ readonly end: Effect.Effect<string> }>((resume) => {
    const child = spawn(process.execPath, [WRITER, svcHome, "w", String(WRITERS)], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    const { pid = 0 } = child
    let text = ""
    const end = Effect.callback<string>((told) => {
      child.on("close", () => told(Effect.succeed(text)))
      child.kill("SIGKILL")
    })
    let isFrozen = false
    child.stdout.setEncoding("utf8")
    child.stdout.on("data", (chunk: string) => {
      text += chunk
      if (isFrozen || text.split("\n").length <= after) return
      isFrozen = true
      resume(Effect.as(freeze(pid), { end }))
    })
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** A file that nothing has asked the system to keep: proof that the power is really cut. */
const writeCarelessly = (folder: string) => writeFileSync(join(folder, "careless"), "c".repeat(100_000))

const keptCarelessly = (folder: string) =>
  existsSync(join(folder, "careless")) ? readFileSync(join(folder, "careless"), "utf8") : ""

it.live.skipIf(!canCutPower)(
  `no acknowledged change is lost by ${CUTS} cuts of the disk's power (needs mkfs.ext4 and the right to mount)`,
  () =>
    Effect.gen(function* () {
      for (let cut = 0; cut < CUTS; cut += 1) {
        yield* Effect.scoped(
          Effect.gen(function* () {
            const disk = yield* cutDisk
            const home = join(disk.folder, "home")
            mkdirSync(home, { mode: 0o700 })
            const writers = yield* stoppedWriters(home, 1 + ((cut * 37) % 400))
            writeCarelessly(disk.folder)
            const after = yield* disk.cut
            const acknowledged = acknowledgedIn(yield* writers.end)
            assert.strictEqual(keptCarelessly(after), "")
            assert.isAtLeast(acknowledged.size, 1)
            yield* checkCrashedBoard(join(after, "home"), acknowledged, WRITERS)
          })
        )
      }
    }),
  30_000 + CUTS * 10_000
)
