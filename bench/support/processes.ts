import { type ChildProcess, execFile, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { freePort } from "../../test/support/freePort.ts"

const run = promisify(execFile)
const fileBeside = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** The folder of the built web app. */
export const WEB_ROOT = fileURLToPath(new URL("../../dist/web", import.meta.url))

/** A server process being measured. */
export interface Subject {
  readonly port: number
  readonly pid: number
  /** Its debugger's address, if started with one. */
  readonly inspector: string | undefined
  /** What it printed so far. */
  readonly printed: () => string
  readonly stop: () => void
}

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

/** What a benchmark sends, and to which path. */
export interface Sending {
  readonly method: "GET" | "POST" | "PATCH"
  readonly path: string
  /** Encodings the client accepts; none by default. */
  readonly encoding?: string
}

const CONNECTION_HEADERS = new Set(["date", "connection", "keep-alive"])

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

const ask = (port: number, method: string, path: string, body: object | undefined, encoding = "identity") =>
  new Promise<Answer>((resolve, reject) => {
    const headers = { "content-type": "application/json", "accept-encoding": encoding }
    const sending = request({ host: "127.0.0.1", port, path, method, headers }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("end", () => {
        const kept = Object.entries(response.headers).flatMap(([name, value]) =>
          typeof value === "string" && !CONNECTION_HEADERS.has(name) ? [[name, value] as const] : []
        )
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(kept),
          body: Buffer.concat(chunks)
        })
      })
    })
    sending.on("error", reject)
    sending.end(body === undefined ? undefined : JSON.stringify(body))
  })

/** Answers of a console, for a bare server to repeat: to a request, and to the creation of a card. */
export const record = async (port: number, { method, path, encoding }: Sending): Promise<string> => {
  const created = await ask(port, "POST", "/api/kanban/tasks", { title: "Card 1000" })
  const { id, version } = JSON.parse(created.body.toString())
  const answers = new Map([["POST /api/kanban/tasks", created]])
  if (method === "GET") answers.set(`GET ${path}`, await ask(port, method, path, undefined, encoding))
  if (method === "PATCH")
    answers.set("PATCH", await ask(port, method, `/api/kanban/tasks/${id}`, { version, title: "Card 1001" }))
  const file = join(mkdtempSync(join(tmpdir(), "agent-console-bench-")), "answers.json")
  const written = [...answers].map(([key, answer]) => [key, { ...answer, body: answer.body.toString("base64") }])
  writeFileSync(file, JSON.stringify(Object.fromEntries(written)))
  return file
}

/** Sends one request to a local port and resolves with the response status; 0 if nothing is listening. */
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

/** `/api/version` is answered before the services are ready, `/health` once all of them are. */
const isReady = async (port: number): Promise<void> => {
  while ((await send(port, "/health")) !== 200) await sleep(20)
}

const inspectFlags = (inspect: boolean): ReadonlyArray<string> => (inspect ? ["--inspect=127.0.0.1:0"] : [])

const pidOf = (child: ChildProcess): number => {
  if (child.pid === undefined) throw new Error("the process did not start")
  return child.pid
}

/** Creates cards, as many clients do. */
const createCards = async (port: number, count: number): Promise<void> => {
  let sent = 0
  const worker = async () => {
    for (let number = sent++; number < count; number = sent++) {
      const headers = {
        "content-type": "application/json",
        "x-forwarded-for": `10.200.${number >> 12}.${(number >> 4) & 255}`
      }
      const body = JSON.stringify({ title: `Card ${number}`, description: DESCRIPTION, labels: ["bench"] })
      const status = await send(port, "/api/kanban/tasks", { method: "POST", headers, body })
      if (status !== 201) throw new Error(`creating a card was answered with ${status}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}

const DESCRIPTION = "Look at the failing job, find the cause and say what you would change. ".repeat(4)

/** Starts the built console with a temporary home, and as many cards on its board. */
export const startConsole = async (options: {
  readonly inspect: boolean
  readonly variables?: Readonly<Record<string, string>>
  readonly cards?: number
  readonly flags?: ReadonlyArray<string>
}): Promise<Subject> => {
  const home = mkdtempSync(join(tmpdir(), "agent-console-bench-"))
  const port = await freePort()
  const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url))
  const child = spawn(process.execPath, [...inspectFlags(options.inspect), ...(options.flags ?? []), cli], {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      PORT: String(port),
      GATEWAY_TOKEN: "bench",
      GATEWAY_URL: "http://127.0.0.1:9",
      NODE_ENV: "development",
      ...options.variables
    },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let printed = ""
  // The log is read but not kept; only a traced process prints what is asked for.
  child.stdout?.on("data", (chunk: Buffer) => {
    if (options.flags !== undefined) printed += chunk.toString()
  })
  const inspector = options.inspect ? await waitForInspector(child) : undefined
  child.stderr?.resume()
  await isReady(port)
  await createCards(port, options.cards ?? 0)
  const stop = () => {
    child.once("exit", () => rmSync(home, { recursive: true, force: true }))
    child.kill("SIGTERM")
  }
  return { port, pid: pidOf(child), inspector, printed: () => printed, stop }
}

/** Starts the bare `node:http` server with the answers of a file that `record` wrote. */
export const startBare = async (options: {
  readonly inspect: boolean
  readonly answers?: string
}): Promise<Subject> => {
  const parameters = [fileBeside("bareServer.ts"), ...(options.answers === undefined ? [] : [options.answers])]
  const child = spawn(process.execPath, [...inspectFlags(options.inspect), ...parameters], {
    stdio: ["ignore", "pipe", "pipe"]
  })
  const [port, inspector] = await Promise.all([
    waitForPort(child),
    options.inspect ? waitForInspector(child) : Promise.resolve(undefined)
  ])
  child.stderr?.resume()
  return { port, pid: pidOf(child), inspector, printed: () => "", stop: () => child.kill("SIGTERM") }
}

/** What a load gave. */
export interface Load {
  /** Responses. */
  readonly answers: number
  readonly perSecond: number
  /** Processor time of the server per response, which other load on the machine affects little. */
  readonly microseconds: number
}

/** Microseconds of processor time a process has used (Linux counts them in hundredths of a second). */
export const processorTime = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

/** Load from a separate process. */
export const measureLoad = async (
  { port, pid }: Pick<Subject, "port" | "pid">,
  { method, path, encoding = "" }: Sending,
  seconds: number
): Promise<Load> => {
  const before = processorTime(pid)
  const { stdout } = await run(process.execPath, [
    fileBeside("load.ts"),
    String(port),
    method,
    path,
    String(seconds),
    encoding
  ])
  const { perSecond, answers } = JSON.parse(stdout)
  return { perSecond, answers, microseconds: (processorTime(pid) - before) / answers }
}

/** The median. */
export const median = (figures: ReadonlyArray<number>): number =>
  [...figures].sort((left, right) => left - right)[Math.floor(figures.length / 2)] ?? 0
