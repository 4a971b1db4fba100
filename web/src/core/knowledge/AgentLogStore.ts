import { MAX_LOG_ENTRIES } from "../../../../src/contract/limits.ts"
import type { AgentLogEntry } from "../../../../src/contract/schema/knowledge.ts"
import { createObservable, type Readable } from "../common/Observable.ts"
import type { ApiClient, EventStream } from "../link/apiTypes.ts"

/** Something an agent reported. */
export interface LogEntry {
  /** Unique on this page. */
  readonly id: number
  /** Epoch milliseconds. */
  readonly at: number
  readonly type: string | null
  readonly level: string | null
  readonly message: string
  /** More details as indented JSON; null for none. */
  readonly data: string | null
}

export interface AgentLogState {
  readonly status: "loading" | "ready" | "failed"
  readonly message: string | null
  /** The last 200 entries, oldest first. */
  readonly entries: ReadonlyArray<LogEntry>
}

const entryOf = ({ ts, type, level, message = "", data }: AgentLogEntry, id: number): LogEntry => ({
  id,
  at: ts,
  type: type || null,
  level: level || null,
  message,
  data: data === undefined ? null : JSON.stringify(data, null, 2)
})

export interface AgentLogStore {
  readonly state: Readable<AgentLogState>
  load(): Promise<void>
}

/** The agents' log; new entries arrive by event. */
export function createAgentLogStore(api: ApiClient, events: EventStream): AgentLogStore {
  const state = createObservable<AgentLogState>({ status: "loading", message: null, entries: [] })
  let nextId = 1
  let generation = 0
  /** Entries that arrived while the log was read: the response in progress may or may not contain them. */
  let early: ReadonlyArray<AgentLogEntry> = []

  async function load(): Promise<void> {
    const mine = ++generation
    if (state.get().status === "ready") early = []
    if (state.get().status === "failed") publish({ status: "loading", message: null })
    const result = await api.request("GET", "/api/agentlog", (entries: ReadonlyArray<AgentLogEntry>) => entries)
    if (mine !== generation) return
    if (!result.ok) {
      if (state.get().status !== "ready") publish({ status: "failed", message: result.error.message })
      return
    }
    const before = new Map(state.get().entries.map((entry) => [JSON.stringify({ ...entry, id: 0 }), entry]))
    const read = new Set(result.value.map((value) => JSON.stringify(entryOf(value, 0))))
    const missed = early.filter((value) => !read.has(JSON.stringify(entryOf(value, 0))))
    early = []
    const entries = [...result.value, ...missed].slice(-MAX_LOG_ENTRIES).map((value) => {
      const entry = entryOf(value, 0)
      return before.get(JSON.stringify(entry)) ?? { ...entry, id: nextId++ }
    })
    publish({ status: "ready", message: null, entries: withoutTwins(entries, () => nextId++) })
  }

  function add(value: AgentLogEntry): void {
    early = [...early, value].slice(-MAX_LOG_ENTRIES)
    if (state.get().status !== "ready") return
    const entries = [...state.get().entries, entryOf(value, nextId++)]
    publish({ entries: entries.slice(-MAX_LOG_ENTRIES) })
  }

  const publish = (change: Partial<AgentLogState>) => state.set({ ...state.get(), ...change })

  events.on("agentlog.added", ({ data }) => add(data.entry))
  events.connected.subscribe((isUp) => {
    if (isUp && state.get().status === "ready") void load()
  })

  return { state, load }
}

/** Entries that are the same in every field still get their own ids. */
const withoutTwins = (entries: ReadonlyArray<LogEntry>, nextId: () => number): ReadonlyArray<LogEntry> => {
  const used = new Set<number>()
  return entries.map((entry) => {
    const own = used.has(entry.id) ? { ...entry, id: nextId() } : entry
    used.add(own.id)
    return own
  })
}

/** Entries of a level and type that contain all words of a query in any field; empty texts match all. */
export const filterLog = (
  entries: ReadonlyArray<LogEntry>,
  filter: { readonly query: string; readonly level: string; readonly type: string }
): ReadonlyArray<LogEntry> => {
  const words = filter.query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
  return entries.filter((entry) => {
    if (filter.level !== "" && entry.level !== filter.level) return false
    if (filter.type !== "" && entry.type !== filter.type) return false
    if (words.length === 0) return true
    const text = `${entry.type ?? ""} ${entry.level ?? ""} ${entry.message} ${entry.data ?? ""}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
