import { setTimeout as sleep } from "node:timers/promises"
import { fieldOf, type Tally } from "./Tally.ts"

const PAUSE_MS = 60
const MAX_BULLETS = 60

type Writer = { readonly run: (until: () => boolean) => Promise<void>; readonly verify: () => Promise<void> }

const repeated = async (step: () => Promise<void>, until: () => boolean) => {
  while (!until()) {
    await step()
    await sleep(PAUSE_MS)
  }
}

/** Adds and removes bullets in the long-term memory. */
export const memoryWriter = (tally: Tally): Writer => {
  const kept = new Set<string>()
  const unsure = new Set<string>()
  let turn = 0
  const step = async () => {
    turn += 1
    const oldest = kept.values().next().value
    if (kept.size >= MAX_BULLETS && oldest !== undefined) {
      const answer = await tally.send("DELETE", "/api/memories", { query: oldest })
      kept.delete(oldest)
      if (answer?.status !== 200) unsure.add(oldest)
      return
    }
    const text = `fact ${turn} ${"m".repeat(100)}`
    const answer = await tally.send("POST", "/api/memories", { text, section: `Soak ${turn % 5}` })
    if (answer === undefined) unsure.add(text)
    else if (answer.status === 200) {
      kept.add(text)
      tally.count("changes acknowledged")
    }
  }
  const verify = async () => {
    const answer = await tally.send("GET", "/api/memories")
    if (!Array.isArray(answer?.body)) return tally.problem("couldn't read the memory")
    const found = answer.body
      .filter((entry) => fieldOf(entry, "type") === "item")
      .map((entry) => fieldOf(entry, "text"))
    for (const text of kept) if (!found.includes(text)) tally.problem(`lost: memory ${text.slice(0, 12)}`)
    for (const text of found) {
      if (!kept.has(String(text)) && !unsure.has(String(text))) tally.problem(`came back: memory ${text}`)
    }
    if (new Set(found).size !== found.length) tally.problem("a memory is there twice")
    tally.count("memories compared", kept.size)
  }
  return { run: (until) => repeated(step, until), verify }
}

/** Saves one workspace file repeatedly, each time based on the state it knows. */
export const fileWriter = (tally: Tally, path: string): Writer => {
  let told = ""
  /** Unacknowledged saves since the last confirmed one: any of them may have been made. */
  const tried = new Set<string>()
  let mtime = 0
  let turn = 0
  const read = async () => {
    const answer = await tally.send("GET", `/api/files/read?path=${path}`)
    const content = fieldOf(answer?.body, "content")
    if (answer?.status === 404 && told === "") return "missing"
    if (answer?.status !== 200 || typeof content !== "string") return "unreadable"
    if (content !== told && !tried.has(content))
      tally.problem(`lost: ${path} is neither what was acknowledged nor what was tried`)
    told = content
    tried.clear()
    mtime = Number(fieldOf(answer.body, "mtime"))
    return "read"
  }
  const step = async () => {
    turn += 1
    const content = `${path} ${turn} `.repeat(200)
    const answer = await tally.send("POST", "/api/files/write", { path, content, mtime })
    if (answer?.status === 200) {
      told = content
      tried.clear()
      mtime = Number(fieldOf(answer.body, "mtime"))
      tally.count("changes acknowledged")
      return
    }
    if (answer?.status === 409 && tried.size === 0 && turn > 1) tally.problem(`${path}: a false conflict`)
    if (answer === undefined) tried.add(content)
    await read()
  }
  const verify = async () => {
    if ((await read()) !== "read") tally.problem(`couldn't read ${path}`)
    tally.count("files compared")
  }
  return { run: (until) => repeated(step, until), verify }
}

/** Writes agent log entries; the newest acknowledged one must be among the last 200. */
export const logWriter = (tally: Tally): Writer => {
  let told: string | undefined
  let since = 0
  let turn = 0
  const step = async () => {
    turn += 1
    const message = `entry ${turn}`
    const answer = await tally.send("POST", "/api/agentlog", { message, type: "soak" })
    if (answer?.status === 200) {
      told = message
      since = 0
      tally.count("changes acknowledged")
    } else since += 1
  }
  const verify = async () => {
    const answer = await tally.send("GET", "/api/agentlog")
    if (!Array.isArray(answer?.body)) return tally.problem("couldn't read the agent log")
    const found = answer.body.map((entry) => fieldOf(entry, "message"))
    if (told !== undefined && since < 200 && !found.includes(told)) tally.problem(`lost: ${told} of the agent log`)
    if (found.length > 200) tally.problem(`${found.length} entries in the agent log`)
    tally.count("log entries compared", found.length)
  }
  return { run: (until) => repeated(step, until), verify }
}
