import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"

const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url))
// A separate cache, so that types are stripped from the sources once instead of in every test.
const COMPILE_CACHE = join(tmpdir(), "agent-console-test-compile-cache")
const DEFINES = new URL("./sourceDefines.mjs", import.meta.url).href

/** How a process ended and what it wrote. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A console in its own process, run from the sources. */
export interface ConsoleProcess {
  readonly child: ChildProcess
  /** Its stdout so far. */
  readonly stdout: () => string
  readonly ended: Promise<Ended>
}

/** A new folder, removed with the test's scope. */
export const temporaryDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "agent-console-test-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** Starts `agent-console` in a folder that's also its home, with only these variables. */
export const startConsole = (options: {
  readonly directory: string
  readonly args?: ReadonlyArray<string>
  readonly variables?: Readonly<Record<string, string>>
  readonly nodeArgs?: ReadonlyArray<string>
  readonly input?: string
  /** The user and group it runs as; only root can choose. */
  readonly as?: number
}) =>
  Effect.acquireRelease(
    Effect.sync((): ConsoleProcess => {
      const child = spawn(process.execPath, [...(options.nodeArgs ?? []), MAIN, ...(options.args ?? [])], {
        cwd: options.directory,
        ...(options.as === undefined ? {} : { uid: options.as, gid: options.as }),
        env: {
          PATH: process.env.PATH,
          HOME: options.directory,
          NODE_OPTIONS: `--import ${DEFINES}`,
          // Other users may neither read nor write it.
          ...(options.as === undefined ? { NODE_COMPILE_CACHE: COMPILE_CACHE } : {}),
          DEMO_SAMPLES: "false",
          ...options.variables
        },
        stdio: "pipe"
      })
      let stdout = ""
      let stderr = ""
      child.stdout.on("data", (chunk: Buffer) => {
        stdout += chunk
      })
      child.stderr.on("data", (chunk: Buffer) => {
        stderr += chunk
      })
      child.stdin.end(options.input ?? "")
      const ended = new Promise<Ended>((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })))
      return { child, stdout: () => stdout, ended }
    }),
    ({ child, ended }) =>
      Effect.promise(() => {
        child.kill("SIGKILL")
        return ended
      })
  )

/** Runs it to completion. */
export const runConsole = (options: Parameters<typeof startConsole>[0]) =>
  Effect.scoped(Effect.flatMap(startConsole(options), (running) => Effect.promise(() => running.ended)))
