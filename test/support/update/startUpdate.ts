import { spawn } from "node:child_process"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import type { UpdateHome } from "./updateHome.ts"

const MAIN = fileURLToPath(new URL("./updateProcess.ts", import.meta.url))
const DEFINES = new URL("../sourceDefines.mjs", import.meta.url).href
const KILL_AT = new URL("./killAt.mjs", import.meta.url).href

/** `agent-console update` on the small service, as a process, with further variables of the environment. */
export const startUpdate = (
  home: UpdateHome,
  flags: ReadonlyArray<string> = [],
  env: Readonly<Record<string, string>> = {}
) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const imports = [DEFINES, ...("COUNT_INTO" in env ? [KILL_AT] : [])].flatMap((url) => ["--import", url])
      const child = spawn(process.execPath, [...imports, MAIN, home.directory, ...flags], {
        cwd: home.home,
        env: {
          PATH: home.programs.path,
          HOME: home.home,
          NODE_COMPILE_CACHE: join(tmpdir(), "agent-console-test-compile-cache"),
          ...env
        },
        stdio: ["ignore", "pipe", "pipe"]
      })
      let output = ""
      for (const stream of [child.stdout, child.stderr]) {
        stream.on("data", (chunk: Buffer) => {
          output += chunk
        })
      }
      const ended = new Promise<{ readonly code: number | null; readonly output: string }>((resolve) =>
        child.on("close", (code) => resolve({ code, output }))
      )
      return { child, ended: Effect.promise(() => ended), output: () => output }
    }),
    ({ child, ended }) => {
      child.kill("SIGKILL")
      return ended
    }
  )

/** The same from its start to its end. */
export const finishUpdate = (
  home: UpdateHome,
  flags: ReadonlyArray<string> = [],
  env: Readonly<Record<string, string>> = {}
) => Effect.scoped(Effect.flatMap(startUpdate(home, flags, env), ({ ended }) => ended))
