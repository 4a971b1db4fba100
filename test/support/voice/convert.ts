import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"

/** Half a second of a tone in the format the arguments ask of ffmpeg. */
export const convert = (args: ReadonlyArray<string>): Effect.Effect<Buffer> =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "agent-console-"))),
    (folder) =>
      Effect.callback<Buffer>((resume) => {
        const file = join(folder, "sound")
        const source = ["-f", "lavfi", "-i", "sine=frequency=440:duration=0.5"]
        execFile("ffmpeg", ["-loglevel", "error", ...source, ...args, file], (error) =>
          resume(error === null ? Effect.sync(() => readFileSync(file)) : Effect.die(error))
        )
      }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  )
