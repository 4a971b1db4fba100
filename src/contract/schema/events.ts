import { Schema } from "effect"
import { BudgetChange, StopState } from "./budget.ts"
import { FileChange } from "./files.ts"
import { CronChange, GatewayChange, GatewayStatus } from "./gateway.ts"
import { InboxChange } from "./inbox.ts"
import { KanbanChange } from "./kanbanChange.ts"
import { AgentLogEntry, MemoryChange } from "./knowledge.ts"
import { OutboxChange } from "./outbox.ts"
import { DraftChange, SessionEnd, SessionMark } from "./session.ts"
import { UsageSummary } from "./usage.ts"
import { DownloadChange } from "./voice.ts"

const event = <const Name extends string, Data extends Schema.Top>(name: Name, description: string, data: Data) =>
  Schema.Struct({ event: Schema.Literal(name), data, ts: Schema.Finite }).annotate({ identifier: name, description })

const Moment = Schema.Struct({ ts: Schema.Finite })
const { totalCost, totalInput, totalOutput, updatedAt } = UsageSummary.fields

/** Every event as it goes on the wire, for the reference. */
export const eventSchemas = {
  connected: event("connected", "The stream is open; always the first", Moment),
  ping: event("ping", "Every 30 seconds; a stream that is silent for longer is dead", Moment),
  "status.changed": event(
    "status.changed",
    "The state of the console's connection to the gateway; also sent to every stream that opens. `reason` says what is wrong and what to do, `approval` is there while the gateway has not approved the console's device",
    GatewayStatus
  ),
  "gateway.changed": event(
    "gateway.changed",
    "One of the console's gateways was added, changed or removed, or the state of an added one has changed",
    GatewayChange
  ),
  "kanban.changed": event(
    "kanban.changed",
    "The board has changed: `task`, `proposal` or `config` is what `kind` names, as it is now; a deleted task is only named, and so are a routine and a template that were added, changed or removed",
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
  "budget.changed": event(
    "budget.changed",
    "A budget was added, changed or removed, has spent something, or its state is another one; what was spent is told once a second at most",
    BudgetChange
  ),
  "stop.changed": event("stop.changed", "Everything was stopped, or goes on again", StopState),
  "session.marked": event(
    "session.marked",
    "Somebody pinned, archived, grouped or read a session whose gateway doesn't keep that; sent once it's on disk",
    SessionMark
  ),
  "session.ended": event(
    "session.ended",
    "A turn of a session has ended; `title` is empty for a session without one, and `preview` is the beginning of the answer",
    SessionEnd
  ),
  "cron.changed": event(
    "cron.changed",
    "A scheduled job was added, updated or removed, or a run of it has started or finished, as `action` says",
    CronChange
  ),
  "draft.changed": event("draft.changed", "This session's draft has changed or was removed", DraftChange),
  "memory.changed": event(
    "memory.changed",
    "The memory of an agent has changed, by a request or by somebody who saved the file; no `agent` is the default one, `gatewayId` is there for an added gateway",
    MemoryChange
  ),
  "file.changed": event(
    "file.changed",
    "A file of an agent's workspace has changed, whoever saved it; `mtime` is 0 when it is gone, no `agent` is the default one",
    FileChange
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
    DownloadChange
  )
}
