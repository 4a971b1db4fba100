import { type ChildProcess, execFile, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { request } from "node:http"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const run = promisify(execFile)
const fileBeside = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** The folder of the built web app. */
export const WEB_ROOT = fileURLToPath(new URL("../../dist/web", import.meta.url))

/** A server process under measurement. */
export interface Subject {
  readonly port: number
  readonly pid: number
  /** Address of its debugger, where it was started with one. */
  readonly inspector: string | undefined
  readonly stop: () => void
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

const waitForPort = (child: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      const port = /port (\d+)/.exec(chunk.toString())?.[1]
      if (port !== undefined) resolve(Number(port))
    })
  })

const waitForInspector = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.stderr?.on("data", (chunk: Buffer) => {
      const address = /ws:\/\/\S+/.exec(chunk.toString())?.[0]
      if (address !== undefined) resolve(address)
    })
  })

const OWN_HEADERS = new Set(["content-type", "content-length", "content-encoding", "date", "connection", "keep-alive"])

/** The headers a server puts on the answer to a path besides those of the body and the connection. */
export const addedHeaders = (port: number, path: string): Promise<Record<string, string>> =>
  new Promise((resolve) => {
    request({ host: "127.0.0.1", port, path }, (response) => {
      response.resume()
      const entries = Object.entries(response.headers).flatMap(([name, value]) =>
        typeof value === "string" && !OWN_HEADERS.has(name) ? [[name, value] as const] : []
      )
      resolve(Object.fromEntries(entries))
    }).end()
  })

/** Sends one request to a local port and resolves with the status of its answer; 0 when nobody listens. */
export const send = (
  port: number,
  path: string,
  options: { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string } = {}
): Promise<number> =>
  new Promise((resolve) => {
    const { method = "GET", headers = {}, body = "" } = options
    const sending = request({ host: "127.0.0.1", port, path, method, headers }, (response) => {
      response.resume()
      response.on("end", () => resolve(response.statusCode ?? 0))
    })
    sending.on("error", () => resolve(0))
    sending.end(body)
  })

/** `/api/version` is answered before the services are there, `/health` when all of them are. */
const isReady = async (port: number): Promise<void> => {
  while ((await send(port, "/health")) !== 200) await sleep(20)
}

const inspectFlags = (inspect: boolean): ReadonlyArray<string> => (inspect ? ["--inspect=127.0.0.1:0"] : [])

const pidOf = (child: ChildProcess): number => {
  if (child.pid === undefined) throw new Error("the process did not start")
  return child.pid
}

/** Starts the built console, with a home of its own that goes with it. */
export const startConsole = async (options: { readonly inspect: boolean }): Promise<Subject> => {
  const home = mkdtempSync(join(tmpdir(), "agent-console-bench-"))
  const port = await freePort()
  const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url))
  const child = spawn(process.execPath, [...inspectFlags(options.inspect), cli], {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      PORT: String(port),
      GATEWAY_TOKEN: "bench",
      GATEWAY_URL: "http://127.0.0.1:9",
      NODE_ENV: "development"
    },
    stdio: ["ignore", "ignore", "pipe"]
  })
  const inspector = options.inspect ? await waitForInspector(child) : undefined
  child.stderr?.resume()
  await isReady(port)
  const stop = () => {
    child.once("exit", () => rmSync(home, { recursive: true, force: true }))
    child.kill("SIGTERM")
  }
  return { port, pid: pidOf(child), inspector, stop }
}

/** Starts the bare `node:http` server that serves the given file, with the given headers on every answer. */
export const startBare = async (options: {
  readonly inspect: boolean
  readonly asset?: string
  readonly headers?: Record<string, string>
}): Promise<Subject> => {
  const script = fileBeside("bareServer.ts")
  const parameters = [script, options.asset ?? script, JSON.stringify(options.headers ?? {})]
  const child = spawn(process.execPath, [...inspectFlags(options.inspect), ...parameters], {
    stdio: ["ignore", "pipe", "pipe"]
  })
  const [port, inspector] = await Promise.all([
    waitForPort(child),
    options.inspect ? waitForInspector(child) : Promise.resolve(undefined)
  ])
  child.stderr?.resume()
  return { port, pid: pidOf(child), inspector, stop: () => child.kill("SIGTERM") }
}

/** Answers per second to a load from a process of its own. */
export const measureLoad = async (port: number, path: string, seconds: number): Promise<number> => {
  const { stdout } = await run(process.execPath, [fileBeside("load.ts"), String(port), path, "32", String(seconds)])
  return Number(stdout)
}

/** The middle one of some figures. */
export const median = (figures: ReadonlyArray<number>): number =>
  [...figures].sort((left, right) => left - right)[Math.floor(figures.length / 2)] ?? 0
