import { type AgentLogEntry, MAX_LOG_ENTRIES } from "../../../../src/contract/answers/KnowledgeAnswers.ts"
import type { EventData } from "../../../../src/contract/ConsoleEvent.ts"
import { fieldsOf, filledText, listOf, numberOf, recordOf } from "../common/decode.ts"
import { createObservable } from "../common/Observable.ts"
import type { ApiClient, EventStream } from "../link/apiTypes.ts"

/** Something an agent reported. */
export interface LogEntry {
  /** Unique on this page. */
  readonly id: number
  /** Epoch milliseconds; null for a record without a time. */
  readonly at: number | null
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

/** An entry as the server sends it; a record of an unknown form is its own message. */
const decodeEntry = (value: unknown, id: number): LogEntry => {
  const fields = recordOf<AgentLogEntry>(value)
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

/** The agents' log; new entries arrive by event. */
export class AgentLogStore {
  readonly state = createObservable<AgentLogState>({ status: "loading", message: null, entries: [] })
  private readonly api: ApiClient
  private nextId = 1
  private generation = 0
  /** Entries that arrived while the log was read: the response in progress may or may not contain them. */
  private early: Array<unknown> = []

  constructor(api: ApiClient, events: EventStream) {
    this.api = api
    events.on("agentlog.added", ({ data }) => this.add(fieldsOf<EventData["agentlog.added"]>(data).entry))
    events.connected.subscribe((isUp) => {
      if (isUp && this.state.get().status === "ready") void this.load()
    })
  }

  async load(): Promise<void> {
    const generation = ++this.generation
    if (this.state.get().status === "ready") this.early = []
    if (this.state.get().status === "failed") this.publish({ status: "loading", message: null })
    const result = await this.api.request("GET", "/api/agentlog", (body) => (Array.isArray(body) ? listOf(body) : null))
    if (generation !== this.generation) return
    if (!result.ok) {
      if (this.state.get().status !== "ready") this.publish({ status: "failed", message: result.error.message })
      return
    }
    const before = new Map(this.state.get().entries.map((entry) => [JSON.stringify({ ...entry, id: 0 }), entry]))
    const read = new Set(result.value.map((value) => JSON.stringify(decodeEntry(value, 0))))
    const missed = this.early.filter((value) => !read.has(JSON.stringify(decodeEntry(value, 0))))
    this.early = []
    const entries = [...result.value, ...missed].slice(-MAX_LOG_ENTRIES).map((value) => {
      const entry = decodeEntry(value, 0)
      return before.get(JSON.stringify(entry)) ?? { ...entry, id: this.nextId++ }
    })
    this.publish({ status: "ready", message: null, entries: withoutTwins(entries, () => this.nextId++) })
  }

  private add(value: unknown): void {
    this.early = [...this.early, value].slice(-MAX_LOG_ENTRIES)
    if (this.state.get().status !== "ready") return
    const entries = [...this.state.get().entries, decodeEntry(value, this.nextId++)]
    this.publish({ entries: entries.slice(-MAX_LOG_ENTRIES) })
  }

  private publish(change: Partial<AgentLogState>): void {
    this.state.set({ ...this.state.get(), ...change })
  }
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
