import { setTimeout as sleep } from "node:timers/promises"
import { startServer } from "./support/ServerProcess.ts"

const ROUNDS = 11
const IDLE_MS = 5000

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

const row = (name: string, times: ReadonlyArray<number>): string =>
  `${name.padEnd(18)} median ${median(times).toFixed(0).padStart(4)} ms   all: ${times.map((time) => time.toFixed(0)).join(" ")}`

const startTime = async (kind: "console" | "bare"): Promise<number> => {
  const server = await startServer(kind)
  await server.stop()
  return server.startMs
}

const idleMemory = async (kind: "console" | "bare"): Promise<number> => {
  const server = await startServer(kind)
  await sleep(IDLE_MS)
  const memory = server.residentMb()
  await server.stop()
  return memory
}

/** Start to the first 200 of `GET /api/version` and resident memory when idle, beside a bare `node:http` server. */
export const run = async (): Promise<void> => {
  const first = await startTime("console")
  const times: Record<"console" | "bare", Array<number>> = { console: [], bare: [] }
  for (let round = 0; round < ROUNDS; round++) {
    times.bare.push(await startTime("bare"))
    times.console.push(await startTime("console"))
  }
  console.log(`Start of the process to the first 200 (aim: under 150 ms), Node ${process.version}`)
  console.log(row("bare node:http", times.bare))
  console.log(row("agent-console", times.console))
  console.log(`${"".padEnd(18)} the very first start, before code is cached: ${first.toFixed(0)} ms`)
  console.log(`Resident memory after ${IDLE_MS / 1000} s idle (aim: under 90 MB)`)
  console.log(`${"bare node:http".padEnd(18)} ${(await idleMemory("bare")).toFixed(0)} MB`)
  console.log(`${"agent-console".padEnd(18)} ${(await idleMemory("console")).toFixed(0)} MB`)
}
