import type { eventSchemas } from "./schema/events.ts"

type Schemas = typeof eventSchemas
export type EventName = keyof Schemas

/** The data of each event. */
export type EventData = { readonly [Name in EventName]: Schemas[Name]["Type"]["data"] }

/** An event of `/api/events`. */
export type ConsoleEvent = {
  readonly [Name in EventName]: { readonly event: Name; readonly data: EventData[Name] }
}[EventName]

/** An event with the time at which it was published, in epoch milliseconds. */
export type PublishedEvent = ConsoleEvent & { readonly ts: number }

/** Every event; an `EventSource` has to be told their names in advance. */
export const EVENT_NAMES: ReadonlyArray<EventName> = [
  "connected",
  "ping",
  "status.changed",
  "gateway.changed",
  "kanban.changed",
  "inbox.changed",
  "outbox.changed",
  "budget.changed",
  "stop.changed",
  "draft.changed",
  "session.marked",
  "session.ended",
  "cron.changed",
  "memory.changed",
  "file.changed",
  "agentlog.added",
  "tokens.updated",
  "stt.download"
]

/** Events that tell how something stands: who listens later gets the last of each. */
export const STATE_EVENTS: ReadonlySet<string> = new Set<EventName>(["status.changed"])
