import { Schema } from "effect"
import { done } from "./fields.ts"

/** An agent's id, as the gateway creates them. */
export const AgentId = Schema.String.check(
  Schema.isPattern(/^[a-z0-9][a-z0-9_-]{0,63}$/, {
    expected: "an agent id: up to 64 lower-case letters, digits, _ and -"
  })
)

/** An agent of the gateway, and how its workspace is. */
const Agent = Schema.Struct({
  id: AgentId,
  name: Schema.String,
  isDefault: Schema.Boolean,
  /** `new`: the first save makes the folder. */
  workspace: Schema.Literals(["ready", "new", "unavailable"]),
  /** Why the workspace is not available. */
  details: Schema.optionalKey(Schema.String)
})
export type Agent = typeof Agent.Type

export const AgentList = Schema.Struct({ ...done, agents: Schema.Array(Agent) })
export type AgentList = typeof AgentList.Type

const CALENDAR_DATE = /^(\d{4})-(\d{2})-(\d{2})$/

/** An existing calendar day, as `YYYY-MM-DD`. */
export const isCalendarDate = (text: string): boolean => {
  const found = CALENDAR_DATE.exec(text)
  if (found === null) return false
  const [year, month, day] = [Number(found[1]), Number(found[2]), Number(found[3])]
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  return day >= 1 && day <= (days[month - 1] ?? 0)
}

/** A day in the format of the daily files' names. */
export const MemoryDate = Schema.String.check(
  Schema.makeFilter(isCalendarDate, { expected: "a date in the form YYYY-MM-DD" })
)

const bounded = (minimum: number, maximum: number) =>
  Schema.String.check(Schema.isMinLength(minimum), Schema.isMaxLength(maximum))

/** Text that isn't only whitespace. */
const filled = (maximum: number) =>
  bounded(1, maximum).check(
    Schema.makeFilter((text: string) => text.trim().length > 0, { expected: "text that isn't only whitespace" })
  )

/** Its file contains invalid UTF-8: it's shown as far as possible and can't be changed. */
const damaged = Schema.optionalKey(Schema.Literal(true))

/** A line of the memory: a section or bullet of the long-term file, or a heading of a day. */
const MemoryEntry = Schema.Union([
  Schema.Struct({ type: Schema.Literals(["section", "item"]), text: Schema.String, damaged }),
  Schema.Struct({ type: Schema.Literal("daily"), date: Schema.String, text: Schema.String, damaged })
])
export type MemoryEntry = typeof MemoryEntry.Type

export const MemoryList = Schema.Array(MemoryEntry)

/** A text, and the version that stands for it. */
export const VersionedText = Schema.Struct({ ...done, content: Schema.String, version: Schema.String })
export type VersionedText = typeof VersionedText.Type

/** Body of `POST /api/memories`. */
export const MemoryInput = Schema.Struct({
  text: filled(10_000),
  section: Schema.optionalKey(bounded(0, 200)),
  category: Schema.optionalKey(Schema.Literals(["preference", "fact", "decision", "entity", "other"])),
  importance: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })))
})
export type MemoryInput = typeof MemoryInput.Type

/** What became of a bullet that was added; `details` says why the vector store doesn't have it. */
export const MemoryAdded = Schema.Struct({
  ...done,
  result: Schema.Struct({
    written: Schema.Boolean,
    section: Schema.String,
    vectorStore: Schema.optionalKey(Schema.Literals(["stored", "failed"])),
    details: Schema.optionalKey(Schema.String)
  })
})
export type MemoryAdded = typeof MemoryAdded.Type

/** Body of `PUT /api/memories/section`; without `date`, the long-term file; with `version`, only if unchanged. */
export const MemorySectionInput = Schema.Struct({
  title: filled(200),
  content: bounded(0, 50_000),
  date: Schema.optionalKey(MemoryDate),
  version: Schema.optionalKey(Schema.String)
})
export type MemorySectionInput = typeof MemorySectionInput.Type

export const SavedSection = Schema.Struct({ ...done, ...MemorySectionInput.fields, version: Schema.String })

/** Body of `DELETE /api/memories`. */
export const MemoryDeletion = Schema.Struct({
  query: bounded(1, 1000),
  type: Schema.optionalKey(Schema.Literals(["section", "item", "daily"])),
  date: Schema.optionalKey(MemoryDate)
}).check(
  Schema.makeFilter(
    (body) =>
      body.type !== "daily" || body.date !== undefined || { path: ["date"], issue: "required when type is daily" }
  )
)
export type MemoryDeletion = typeof MemoryDeletion.Type

export const MemoryDeleted = Schema.Struct({
  ...done,
  result: Schema.Struct({ deleted: Schema.Int, source: Schema.String, file: Schema.String, type: Schema.String })
})

/** Data of `memory.changed`. */
export const MemoryChange = Schema.Struct({
  source: Schema.Literals(["api", "file"]),
  action: Schema.Literals(["added", "updated", "deleted"]),
  /** Name of the file. */
  file: Schema.String,
  /** Of a request that changed one. */
  section: Schema.optionalKey(Schema.String),
  /** Whose memory; absent for the default agent. */
  agent: Schema.optionalKey(Schema.String),
  /** Of an added gateway, whose agents are always named. */
  gatewayId: Schema.optionalKey(Schema.String)
})
export type MemoryChange = typeof MemoryChange.Type

export const DocumentKey = Schema.Literals(["soul", "tools", "identity", "user", "agents", "heartbeat"])
export type DocumentKey = typeof DocumentKey.Type

/** One of the six documents of a workspace. */
const DocumentEntry = Schema.Struct({ key: DocumentKey, filename: Schema.String, exists: Schema.Boolean })
export type DocumentEntry = typeof DocumentEntry.Type

export const DocumentList = Schema.Struct({ ...done, files: Schema.Array(DocumentEntry) })
export type DocumentList = typeof DocumentList.Type

export const SavedDocument = Schema.Struct({ ...VersionedText.fields, key: DocumentKey })

/** An agent's report; `type` and `level` are free text. */
export const AgentLogInput = Schema.Struct({
  type: Schema.optionalKey(Schema.String),
  message: Schema.optionalKey(Schema.String),
  level: Schema.optionalKey(Schema.String),
  data: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
})
export type AgentLogInput = typeof AgentLogInput.Type

/** A stored entry; `ts` is the server's, epoch milliseconds. */
export const AgentLogEntry = Schema.Struct({ ts: Schema.Finite, ...AgentLogInput.fields })
export type AgentLogEntry = typeof AgentLogEntry.Type

export const AgentLogEntries = Schema.Array(AgentLogEntry)
export const AgentLogAdded = Schema.Struct({ ...done, entry: AgentLogEntry })
