import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { get } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { freePort } from "../../test/support/freePort.ts"

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url))

const BARE = `require("node:http").createServer((request, response) => {
  response.writeHead(200, { "content-type": "application/json" })
  response.end('{"version":"0.0.0","name":"bare"}')
}).listen(Number(process.env.PORT), "127.0.0.1")`

/** A server being measured, in its own process and home folder. */
export interface ServerProcess {
  readonly port: number
  readonly child: ChildProcess
  /** Milliseconds from starting the process to its first 200. */
  readonly startMs: number
  /**
   * Milliseconds from starting the process to the first response that needs every service; the same for a bare server.
   */
  readonly readyMs: number
  /** Resident memory now, in megabytes (Linux). */
  readonly residentMb: () => number
  /** Stops the process with SIGTERM and resolves with the milliseconds it took. */
  readonly stop: () => Promise<number>
}

const answers = (port: number, path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const request = get({ port, host: "127.0.0.1", path, agent: false }, (response) => {
      response.resume()
      response.on("end", () => resolve(response.statusCode === 200))
    })
    request.on("error", () => resolve(false))
  })

/** Resident memory of a process now, in megabytes (Linux). */
export const residentMb = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

/** Starts the built console, or a bare `node:http` server with the same response, and waits for its first 200. */
export const startServer = async (
  kind: "console" | "bare",
  variables: Readonly<Record<string, string>> = {},
  cli: string = CLI
): Promise<ServerProcess> => {
  const home = mkdtempSync(join(tmpdir(), "agent-console-bench-"))
  const port = await freePort()
  const started = performance.now()
  const child = spawn(process.execPath, kind === "console" ? [cli] : ["-e", BARE], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, PORT: String(port), GATEWAY_TOKEN: "bench", ...variables },
    stdio: ["ignore", "ignore", "inherit"]
  })
  const gone = once(child, "exit")
  while (!(await answers(port, "/api/version"))) {
    if (child.exitCode !== null) throw new Error(`the ${kind} server ended with code ${child.exitCode}`)
    await sleep(1)
  }
  const startMs = performance.now() - started
  if (!(await answers(port, "/api/server-info"))) throw new Error(`the ${kind} server did not become ready`)
  const readyMs = performance.now() - started
  return {
    port,
    child,
    startMs,
    readyMs,
    residentMb: () => residentMb(child.pid),
    stop: async () => {
      const asked = performance.now()
      child.kill()
      await gone
      const stopMs = performance.now() - asked
      rmSync(home, { recursive: true, force: true })
      return stopMs
    }
  }
}
