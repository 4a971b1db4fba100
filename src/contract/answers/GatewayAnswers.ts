import type { Why } from "../failure.ts"
import type { Done } from "./AccessAnswers.ts"

/** A model of the gateway; `id` is `provider/model`. */
export interface Model {
  readonly id: string
  readonly label: string
  readonly provider: string
}

/** The model (`provider/model`) and the thinking level in force. */
export interface SessionInfo {
  readonly model: string
  readonly thinking: string
}

/** State of the server's own link to the gateway. */
export interface GatewayStatus {
  readonly gateway: "ok" | "unreachable"
  /** Epoch milliseconds since when `gateway` has this value. */
  readonly since: number
  /** One sentence for people; absent while everything works. With `ok` it says why the link has reduced scopes. */
  readonly reason?: string
  readonly why?: Why
  /** Present while the gateway has not approved the console's device; some gateways name no request. */
  readonly approval?: { readonly requestId: string | null }
}

/** One of the console's gateways; its token stays on the server. */
export interface GatewayEntry {
  readonly id: string
  readonly name: string
  /** HTTP origin. */
  readonly url: string
  /** The one of the settings file, which can't be changed or removed here. */
  readonly primary: boolean
  /** On the console's own machine. */
  readonly local: boolean
  readonly state: "ok" | "connecting" | "unreachable" | "refused"
  /** Epoch milliseconds since when the link works, or doesn't. */
  readonly since: number
  /** One sentence for people; absent while everything works. */
  readonly reason?: string
  readonly why?: Why
  readonly version?: string
  /** Generation of the wire protocol, 3 or 4. */
  readonly protocol?: number
  readonly device: "approved" | "pending" | "refused" | "unknown"
  /** The approval request the device waits for. */
  readonly requestId?: string
}

/** A gateway was added, changed or removed, or its state has changed. */
export interface GatewayChange {
  readonly action: "added" | "changed" | "state" | "removed"
  readonly id: string
  /** As it is now; absent once it's removed. */
  readonly gateway?: GatewayEntry
}

/** Fields of the gateway that pass through as they are. */
interface GatewayFields {
  readonly [field: string]: unknown
}

/** A scheduled job: all of the gateway's fields, and the simple form beside them. */
export interface CronJob extends GatewayFields {
  readonly id: string
  /** The cron expression; absent where the schedule is of another kind. */
  readonly expression?: string
  readonly prompt?: string
  /** Where the answer is announced; absent where it is not. */
  readonly channel?: string
}

/** One run of a job: an entry of its history, or the event that ended it. */
export interface CronRun extends GatewayFields {
  readonly jobId: string
  readonly action?: string
  readonly runId?: string
  readonly runAtMs?: number
  readonly status?: string
}

/** A run that was begun and goes on; `details` says so. */
export interface UnfinishedCronRun extends Done {
  readonly jobId: string
  readonly runId?: string
  readonly running: true
  readonly details: string
}

/** How long the server waits for the end of a run that was asked for, in milliseconds. */
export const CRON_RUN_LIMIT_MS = 60_000

type Texts = ReadonlyArray<string> | null

/** What a skill needs and the gateway's machine does not have: programs, variables, settings, a system. */
export interface MissingOfSkill {
  readonly bins?: Texts
  readonly anyBins?: Texts
  readonly env?: Texts
  readonly config?: Texts
  readonly os?: Texts
}

/** A way to install what is missing, in the gateway's words. */
export interface InstallHint {
  readonly id?: string | null
  readonly kind?: string | null
  readonly label: string
}

/** A skill of the agent; texts the gateway does not have are empty. */
export interface Skill {
  readonly name: string
  readonly description: string
  readonly emoji: string
  readonly eligible: boolean
  readonly disabled: boolean
  readonly blockedByAllowlist: boolean
  readonly bundled: boolean
  readonly source: string
  readonly homepage: string
  /** Why it is not eligible, where the gateway says so. */
  readonly missing?: MissingOfSkill
  readonly install?: ReadonlyArray<InstallHint>
}

/** What the gateway knows and does. */
export interface GatewayAnswers {
  readonly "GET /api/gateways": { readonly gateways: ReadonlyArray<GatewayEntry> }
  readonly "POST /api/gateways": GatewayEntry
  readonly "PATCH /api/gateways/:id": GatewayEntry
  readonly "DELETE /api/gateways/:id": Done
  readonly "GET /api/gateway/models": { readonly models: ReadonlyArray<Model> }
  readonly "GET /api/gateway/session-info": SessionInfo
  readonly "POST /api/gateway/session-patch": Done & SessionInfo
  readonly "GET /api/crons": Done & { readonly result: { readonly jobs: ReadonlyArray<CronJob> } }
  readonly "POST /api/crons": Done & CronJob
  readonly "PATCH /api/crons/:id": Done & CronJob
  readonly "DELETE /api/crons/:id": Done & { readonly id: string }
  readonly "POST /api/crons/:id/toggle": Done & CronJob
  readonly "POST /api/crons/:id/run": UnfinishedCronRun | (Done & CronRun)
  readonly "GET /api/crons/:id/runs": Done & { readonly result: { readonly entries: ReadonlyArray<CronRun> } }
  readonly "GET /api/skills": Done & { readonly skills: ReadonlyArray<Skill> }
}
