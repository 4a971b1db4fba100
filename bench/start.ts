import { Agent, get, type IncomingMessage } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { startServer } from "./support/ServerProcess.ts"

const ROUNDS = 11
const SETTLED_MS = 5000
/** The search's thread, which looks at the start for what's new, ends after 30 seconds without work. */
const IDLE_MS = 45_000
const REQUESTS = 20_000
const AT_ONCE = 16
const STREAMS = 40
/** The requests browsers make most; each client has its own address, so that no rate limit applies. */
const PATHS = ["/", "/api/version", "/api/server-info", "/api/kanban/tasks?limit=50", "/api/memories", "/health"]

type Kind = "console" | "bare"

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

const row = (name: string, times: ReadonlyArray<number>): string =>
  `${name.padEnd(24)} median ${median(times).toFixed(0).padStart(4)} ms   all: ${times.map((time) => time.toFixed(0)).join(" ")}`

const startTimes = async (kind: Kind) => {
  const server = await startServer(kind)
  await server.stop()
  return server
}

const requestOnce = (port: number, path: string, client: number, agent: Agent): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { "x-forwarded-for": `10.${client >> 16}.${(client >> 8) & 255}.${client & 255}` }
    get({ port, host: "127.0.0.1", path, agent, headers }, (response) => {
      response.resume()
      response.on("end", resolve)
    }).on("error", reject)
  })

/** Sends the requests a browser sends most, 20,000 in all. */
export const load = async (port: number): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  let sent = 0
  const worker = async () => {
    for (let number = sent++; number < REQUESTS; number = sent++) {
      await requestOnce(port, PATHS[number % PATHS.length] ?? "/", number >> 5, agent)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  agent.destroy()
}

const openStream = (port: number): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get({ port, host: "127.0.0.1", path: "/api/events", agent: false }, (response) => {
      response.on("error", () => {})
      response.once("data", () => resolve(response))
    }).on("error", reject)
  })

/** Resident memory after the start, when idle and after many requests, in MB, and how long SIGTERM takes with open streams, in ms. */
const life = async (kind: Kind) => {
  const server = await startServer(kind)
  await sleep(SETTLED_MS)
  const started = server.residentMb()
  await sleep(IDLE_MS - SETTLED_MS)
  const idle = server.residentMb()
  await load(server.port)
  await sleep(SETTLED_MS)
  const loaded = server.residentMb()
  if (kind === "console") await Promise.all(Array.from({ length: STREAMS }, () => openStream(server.port)))
  return { started, idle, loaded, stopMs: await server.stop() }
}

/** Start-up, memory and shutdown, compared with a bare `node:http` server in the same run. */
export const run = async (): Promise<void> => {
  const first = await startTimes("console")
  const bare: Array<number> = []
  const answered: Array<number> = []
  const ready: Array<number> = []
  for (let round = 0; round < ROUNDS; round++) {
    bare.push((await startTimes("bare")).startMs)
    const server = await startTimes("console")
    answered.push(server.startMs)
    ready.push(server.readyMs)
  }
  console.log(`From process start to the first 200 (aim: under 3 times bare), Node ${process.version}`)
  console.log(row("bare node:http", bare))
  console.log(row("agent-console", answered))
  console.log(row("... and every service", ready))
  console.log(
    `First start, before code is cached: ${first.startMs.toFixed(0)} ms, ready ${first.readyMs.toFixed(0)} ms`
  )
  const [reference, subject] = [await life("bare"), await life("console")]
  const memory = (text: string, of: "started" | "idle" | "loaded") =>
    console.log(`${text}: ${subject[of].toFixed(0)} MB, bare node:http ${reference[of].toFixed(0)} MB`)
  memory(`Resident memory ${SETTLED_MS / 1000} s after the start`, "started")
  memory(`... and idle, after ${IDLE_MS / 1000} s (aim: under 110 MB)`, "idle")
  memory(`... and after ${REQUESTS} requests (aim: under 130 MB)`, "loaded")
  console.log(`SIGTERM to exit with ${STREAMS} event streams open (aim: under 300 ms): ${subject.stopMs.toFixed(0)} ms`)
}
