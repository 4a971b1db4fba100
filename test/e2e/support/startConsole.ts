import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { freePort } from "../../support/freePort.ts"

const PROGRAM = fileURLToPath(new URL("../../../dist/cli.js", import.meta.url))
const END_WITH_PARENT = new URL("endWithParent.mjs", import.meta.url).href
const READY_MS = 20_000
const KILL_AFTER_MS = 3_000

/** A console in a process of its own. */
export interface RunningConsole {
  readonly url: string
  readonly port: number
  /** The workspace of the demonstration's agents. */
  readonly workspace: string
  /** Its output so far, for failures. */
  readonly output: () => string
  /** Ends it and starts another on the same port. */
  readonly restart: () => Promise<void>
  /** Ends it and removes its home. */
  readonly stop: () => Promise<void>
}

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, "exit")
  child.kill("SIGTERM")
  const timer = setTimeout(() => child.kill("SIGKILL"), KILL_AFTER_MS)
  await gone
  clearTimeout(timer)
}

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/health`).then(
    (response) => response.ok,
    () => false
  )

/** Starts the built console on a free loopback port unless one is given, in a folder that `prepare` may fill, with `--demo` unless a `GATEWAY_URL` is given, and waits until it answers. */
export const startConsole = async (
  env: Readonly<Record<string, string>> = {},
  prepare: (home: string) => void = () => {}
): Promise<RunningConsole> => {
  const port = env.PORT === undefined ? await freePort() : Number(env.PORT)
  const url = `http://127.0.0.1:${port}`
  const home = mkdtempSync(join(tmpdir(), "agent-console-e2e-"))
  prepare(home)
  let output = ""
  const args = env.GATEWAY_URL === undefined ? ["--demo"] : []

  const launch = async (): Promise<ChildProcess> => {
    const child = spawn(process.execPath, ["--import", END_WITH_PARENT, PROGRAM, "serve", ...args], {
      cwd: home,
      env: {
        PATH: process.env.PATH ?? "",
        HOME: home,
        SVC_HOME: home,
        HOST: "127.0.0.1",
        PORT: String(port),
        DEMO_SAMPLES: "false",
        ...env
      },
      stdio: ["ignore", "pipe", "pipe", "ipc"]
    })
    child.stdout?.on("data", (data) => {
      output += data
    })
    child.stderr?.on("data", (data) => {
      output += data
    })
    const until = Date.now() + READY_MS
    while (!(await answers(url))) {
      if (child.exitCode !== null || Date.now() > until) {
        await end(child)
        throw new Error(`The console did not start:\n${output}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
    return child
  }

  let child = await launch()
  return {
    url,
    port,
    workspace: join(home, "demo/gateway/workspace"),
    output: () => output,
    restart: async () => {
      await end(child)
      child = await launch()
    },
    stop: async () => {
      await end(child)
      rmSync(home, { recursive: true, force: true })
    }
  }
}
