import { mkdtempSync, rmSync } from "node:fs"
import { Agent, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type ServerProcess, startServer } from "../support/ServerProcess.ts"
import { report } from "./times.ts"

/** How long a console is watched while it has nothing to build, and at most while it builds. */
const QUIET_MS = 30_000
const BUILDING_MS = 120_000
/** Between two rounds of requests: people and pages ask now and then, not all the time. */
const PAUSE_MS = 5
/** The index begins a moment after the start, in both consoles. */
const BEGUN_AFTER_MS = 1_500
const CARDS = 200

const asker = (port: number) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let sent = 0
  /** Every request comes from another client, so that no rate limit applies. */
  const client = () => `10.77.${(++sent >> 8) & 255}.${sent & 255}`
  const ask = (method: string, path: string, value?: object): Promise<string> =>
    new Promise((resolve, reject) => {
      const headers = { "content-type": "application/json", "x-forwarded-for": client() }
      const sending = request({ host: "127.0.0.1", port, agent, method, path, headers }, (response) => {
        let text = ""
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk
        })
        response.on("end", () => {
          if ((response.statusCode ?? 0) < 300) resolve(text)
          else reject(new Error(`${method} ${path} was answered with ${response.statusCode}: ${text}`))
        })
      })
      sending.on("error", reject)
      sending.end(value === undefined ? undefined : JSON.stringify(value))
    })
  return { ask, close: () => agent.destroy() }
}

type Waits = Record<"GET /api/version" | "PATCH of a card" | "GET of 50 cards" | "GET /api/search", Array<number>>

/** Asks a console in turn for small things until it has read everything, or some time has passed. */
const watch = async ({ port, residentMb }: ServerProcess, name: string, longest: number, endsReady: boolean) => {
  const { ask, close } = asker(port)
  const waits: Waits = { "GET /api/version": [], "PATCH of a card": [], "GET of 50 cards": [], "GET /api/search": [] }
  const timed = async (what: keyof Waits, method: string, path: string, value?: object): Promise<string> => {
    const from = performance.now()
    const text = await ask(method, path, value)
    waits[what].push(performance.now() - from)
    return text
  }
  for (let card = 0; card < CARDS; card++) await ask("POST", "/api/kanban/tasks", { title: `Card ${card}` })
  let card = JSON.parse(await ask("POST", "/api/kanban/tasks", { title: "Card" }))
  await sleep(BEGUN_AFTER_MS)
  let resident = 0
  const begun = performance.now()
  for (let state = "building"; performance.now() < begun + longest && !(endsReady && state === "ready"); ) {
    await timed("GET /api/version", "GET", "/api/version")
    const change = { version: card.version, title: `Card ${waits["PATCH of a card"].length}` }
    card = JSON.parse(await timed("PATCH of a card", "PATCH", `/api/kanban/tasks/${card.id}`, change))
    await timed("GET of 50 cards", "GET", "/api/kanban/tasks?limit=50")
    state = JSON.parse(await timed("GET /api/search", "GET", "/api/search?q=card&limit=5")).state
    resident = Math.max(resident, residentMb())
    await sleep(PAUSE_MS)
  }
  const { messages, state } = JSON.parse(await ask("GET", "/api/search/index"))
  close()
  const seconds = ((performance.now() - begun) / 1000).toFixed(0)
  console.log(
    `\n${name}, watched for ${seconds} s (${messages} messages read, ${state} at the end): memory at most ${resident.toFixed(0)} MB`
  )
  for (const [what, times] of Object.entries(waits)) report(`  ${what}`, times)
}

const inConsole = async (home: string, ...options: [name: string, longest: number, endsReady: boolean]) => {
  const server = await startServer("console", { GATEWAY_HOME: home })
  try {
    await watch(server, ...options)
  } finally {
    await server.stop()
  }
}

/** How long requests of a running console wait while it builds the index, beside one that has nothing to build. */
export const benchBesides = async (home: string): Promise<void> => {
  const empty = mkdtempSync(join(tmpdir(), "agent-console-bench-search-"))
  try {
    await inConsole(empty, "a console that builds nothing", QUIET_MS, false)
    await inConsole(home, "a console that builds the index", BUILDING_MS, true)
  } finally {
    rmSync(empty, { recursive: true, force: true })
  }
}
