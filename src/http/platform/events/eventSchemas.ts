import { Schema } from "effect"
import type { EventData, EventName } from "../../../contract/ConsoleEvent.ts"
import { Why } from "../../../contract/schema/failure.ts"
import { InboxChange } from "../../../contract/schema/inbox.ts"
import { KanbanChange } from "../../../contract/schema/kanbanChange.ts"
import { OutboxChange } from "../../../contract/schema/outbox.ts"
import { GatewayEntry } from "../../../services/gateway/registry/gatewayEntry.ts"
import { SessionMark } from "../../../services/gateway/sessions/sessionMark.ts"
import { AgentLogEntry } from "../../../services/knowledge/agentlog/AgentLog.ts"
import { UsageSummary } from "../../../services/usage/usageSchemas.ts"
import type { Same } from "../../answersThatDiffer.ts"
import { SttDownload } from "../../voice/stt/SttApi.ts"

const event = <const Name extends EventName, Data extends Schema.Top>(name: Name, description: string, data: Data) =>
  Schema.Struct({ event: Schema.Literal(name), data, ts: Schema.Finite }).annotate({ identifier: name, description })

const Moment = Schema.Struct({ ts: Schema.Finite })
const agent = Schema.optionalKey(Schema.String)
const { totalCost, totalInput, totalOutput, updatedAt } = UsageSummary.fields

/** Every event as it goes on the wire, for the reference. */
export const eventSchemas = {
  connected: event("connected", "The stream is open; always the first", Moment),
  ping: event("ping", "Every 30 seconds; a stream that is silent for longer is dead", Moment),
  "status.changed": event(
    "status.changed",
    "The state of the console's connection to the gateway; also sent to every stream that opens. `reason` says what is wrong and what to do, `approval` is there while the gateway has not approved the console's device",
    Schema.Struct({
      gateway: Schema.Literals(["ok", "unreachable"]),
      since: Schema.Finite,
      reason: Schema.optionalKey(Schema.String),
      why: Schema.optionalKey(Why),
      approval: Schema.optionalKey(Schema.Struct({ requestId: Schema.NullOr(Schema.String) }))
    })
  ),
  "gateway.changed": event(
    "gateway.changed",
    "One of the console's gateways was added, changed or removed, or the state of an added one has changed",
    Schema.Struct({
      action: Schema.Literals(["added", "changed", "state", "removed"]),
      id: Schema.String,
      gateway: Schema.optionalKey(GatewayEntry)
    })
  ),
  "kanban.changed": event(
    "kanban.changed",
    "The board has changed: `task`, `proposal` or `config` is what `kind` names, as it is now; a deleted task is only named",
    KanbanChange
  ),
  "inbox.changed": event(
    "inbox.changed",
    "Something needs a person, or no longer does: `item` is what it was about, as it is now",
    InboxChange
  ),
  "outbox.changed": event(
    "outbox.changed",
    "The messages on their way to this session have changed: `items` says how all of them stand, unless the words of one were changed or there are more than 20",
    OutboxChange
  ),
  "session.marked": event(
    "session.marked",
    "Somebody pinned, archived, grouped or read a session whose gateway doesn't keep that; sent once it's on disk",
    SessionMark
  ),
  "draft.changed": event(
    "draft.changed",
    "This session's draft has changed or was removed",
    Schema.Struct({ sessionKey: Schema.String, updatedAt: Schema.Int })
  ),
  "memory.changed": event(
    "memory.changed",
    "The memory of an agent has changed, by a request or by somebody who saved the file; no `agent` is the default one, `gatewayId` is there for an added gateway",
    Schema.Struct({
      source: Schema.Literals(["api", "file"]),
      action: Schema.Literals(["added", "updated", "deleted"]),
      file: Schema.String,
      section: Schema.optionalKey(Schema.String),
      agent,
      gatewayId: Schema.optionalKey(Schema.String)
    })
  ),
  "file.changed": event(
    "file.changed",
    "A file of an agent's workspace has changed, whoever saved it; `mtime` is 0 when it is gone, no `agent` is the default one",
    Schema.Struct({ path: Schema.String, mtime: Schema.Finite, agent })
  ),
  "agentlog.added": event("agentlog.added", "An agent has reported something", Schema.Struct({ entry: AgentLogEntry })),
  "tokens.updated": event(
    "tokens.updated",
    "Usage was counted again and has changed",
    Schema.Struct({ totalCost, totalInput, totalOutput, updatedAt })
  ),
  "stt.download": event(
    "stt.download",
    "A local speech model is being downloaded, is ready, or couldn't be downloaded",
    Schema.Struct({
      ...SttDownload.fields,
      status: Schema.Literals([...SttDownload.fields.status.literals, "done"])
    })
  )
}

type Schemas = typeof eventSchemas
type Differs<Name> = Name extends keyof Schemas & EventName
  ? Same<Schemas[Name]["Encoded"]["data"], EventData[Name]> extends true
    ? never
    : Name
  : Name

/** Stays empty: it doesn't compile while an event is described otherwise than the contract has it. */
export const eventsThatDiffer: { readonly [Name in Differs<keyof Schemas | EventName>]: "differs" } = {}
