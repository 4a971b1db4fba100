import { spawn } from "node:child_process"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { assert } from "@effect/vitest"
import { Effect } from "effect"

/** Numbers below a limit, the same ones for the same seed. */
export const randomFrom = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

interface Killing {
  readonly file: URL
  readonly args: ReadonlyArray<string>
  readonly meanwhile: Effect.Effect<void>
  /** Milliseconds after its first line, `ready`. */
  readonly afterMs: number
}

/** Runs a program of the tests and kills it; returns what it printed once it was ready, line by line. */
export const killedProcess = ({ file, args, meanwhile, afterMs }: Killing) =>
  Effect.gen(function* () {
    const defines = new URL("./sourceDefines.mjs", import.meta.url).href
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, ["--import", defines, fileURLToPath(file), ...args], {
          // Types are stripped from the sources once, instead of at every start.
          env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), "agent-console-test-compile-cache") },
          stdio: ["ignore", "pipe", "inherit"]
        })
      ),
      (one) => Effect.sync(() => one.kill("SIGKILL"))
    )
    const printed: Array<string> = []
    const ended = new Promise<string>((resolve) => child.on("close", () => resolve("ended")))
    const ready = new Promise<string>((resolve) => {
      createInterface({ input: child.stdout }).on("line", (line) => {
        if (line === "ready") resolve(line)
        else printed.push(line)
      })
    })
    assert.strictEqual(yield* Effect.promise(() => Promise.race([ready, ended])), "ready")
    yield* Effect.forkScoped(meanwhile)
    yield* Effect.sleep(afterMs)
    child.kill("SIGKILL")
    yield* Effect.promise(() => ended)
    return printed
  }).pipe(Effect.scoped)
