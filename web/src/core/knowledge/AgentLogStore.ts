import { fieldsOf, filledText, listOf, numberOf, recordOf } from "../decode.ts"
import { Observable } from "../Observable.ts"
import type { ApiClient, EventStream } from "../types.ts"

/** Something an agent reported of itself. */
export interface LogEntry {
  /** Tells it from the others on this page. */
  readonly id: number
  /** Epoch milliseconds; null for a record without a time. */
  readonly at: number | null
  readonly type: string | null
  readonly level: string | null
  readonly message: string
  /** More about it, as indented JSON; null for nothing. */
  readonly data: string | null
}

export interface AgentLogState {
  readonly status: "loading" | "ready" | "failed"
  readonly message: string | null
  /** The last 200 entries, oldest first. */
  readonly entries: ReadonlyArray<LogEntry>
}

const MAX_ENTRIES = 200

/** An entry as the server gives it; a record of no known shape is its own message. */
const decodeEntry = (value: unknown, id: number): LogEntry => {
  const fields = recordOf(value)
  if (fields === null) return { id, at: null, type: null, level: null, message: JSON.stringify(value), data: null }
  const { ts, type, level, message, data } = fields
  return {
    id,
    at: numberOf(ts),
    type: filledText(type),
    level: filledText(level),
    message: filledText(message) ?? "",
    data: data === undefined || data === null ? null : JSON.stringify(data, null, 2)
  }
}

/** The log of the agents; new entries come by event. */
export class AgentLogStore {
  readonly state = new Observable<AgentLogState>({ status: "loading", message: null, entries: [] })
  private readonly api: ApiClient
  private nextId = 1
  private generation = 0

  constructor(api: ApiClient, events: EventStream) {
    this.api = api
    events.on("agentlog.added", ({ data }) => this.add(fieldsOf(data).entry))
    events.connected.subscribe((isUp) => {
      if (isUp && this.state.get().status === "ready") void this.load()
    })
  }

  async load(): Promise<void> {
    const generation = ++this.generation
    if (this.state.get().status === "failed") this.publish({ status: "loading", message: null })
    const result = await this.api.request("GET", "/api/agentlog", (body) => (Array.isArray(body) ? listOf(body) : null))
    if (generation !== this.generation) return
    if (!result.ok) {
      if (this.state.get().status !== "ready") this.publish({ status: "failed", message: result.error.message })
      return
    }
    const before = new Map(this.state.get().entries.map((entry) => [JSON.stringify({ ...entry, id: 0 }), entry]))
    const entries = result.value.slice(-MAX_ENTRIES).map((value) => {
      const entry = decodeEntry(value, 0)
      return before.get(JSON.stringify(entry)) ?? { ...entry, id: this.nextId++ }
    })
    this.publish({ status: "ready", message: null, entries: withoutTwins(entries, () => this.nextId++) })
  }

  private add(value: unknown): void {
    // Whether an answer that is under way holds it is not known: the next one does.
    if (this.state.get().status !== "ready") return
    const entries = [...this.state.get().entries, decodeEntry(value, this.nextId++)]
    this.publish({ entries: entries.slice(-MAX_ENTRIES) })
  }

  private publish(change: Partial<AgentLogState>): void {
    this.state.set({ ...this.state.get(), ...change })
  }
}

/** Entries that are alike in every field still get ids of their own. */
const withoutTwins = (entries: ReadonlyArray<LogEntry>, nextId: () => number): ReadonlyArray<LogEntry> => {
  const used = new Set<number>()
  return entries.map((entry) => {
    const own = used.has(entry.id) ? { ...entry, id: nextId() } : entry
    used.add(own.id)
    return own
  })
}

/** Entries of a level and type, with all words of a query in any of their fields; empty texts leave all. */
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
