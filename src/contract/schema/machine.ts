import { Schema } from "effect"
import { Why } from "./failure.ts"

/** Whether the console is up, for how many seconds, and whether it reaches the gateway. */
export const Health = Schema.Struct({
  status: Schema.Literal("ok"),
  uptime: Schema.Finite,
  gateway: Schema.Literals(["ok", "unreachable"]),
  /** Only if the board's file was damaged at start-up. */
  database: Schema.optionalKey(Schema.String),
  /** Only of a board in a database that several consoles share: `ok`, or why it can't be used for now. */
  board: Schema.optionalKey(Schema.String)
})
export type Health = typeof Health.Type

const checks = Schema.Array(
  Schema.Struct({
    name: Schema.Literals(["store", "board", "gateway"]),
    ok: Schema.Boolean,
    /** Whether the console is unavailable without it. */
    required: Schema.Boolean
  })
)

export const Ready = Schema.Struct({ status: Schema.Literal("ok"), checks })
export const NotReady = Schema.Struct({ status: Schema.Literal("unavailable"), checks })

/** The console's name and version. */
export const Version = Schema.Struct({ version: Schema.String, name: Schema.String })
export type Version = typeof Version.Type

/**
 * Whether a newer version has been published, and whether the update command can install one here. If `latest` is null
 * or `installable` false, `reason` says why.
 */
export const UpdateNotice = Schema.Struct({
  current: Schema.String,
  latest: Schema.NullOr(Schema.String),
  updateAvailable: Schema.Boolean,
  installable: Schema.Boolean,
  reason: Schema.optionalKey(Schema.String),
  why: Schema.optionalKey(Why),
  /** When this was checked, in epoch milliseconds. */
  checkedAt: Schema.Finite
}).annotate({ identifier: "UpdateNotice" })
export type UpdateNotice = typeof UpdateNotice.Type

/** Clock, time zone and agent name of the server; times in epoch milliseconds. */
export const ServerInfo = Schema.Struct({
  serverTime: Schema.Finite,
  gatewayStartedAt: Schema.NullOr(Schema.Finite),
  timezone: Schema.String,
  agentName: Schema.String
})
export type ServerInfo = typeof ServerInfo.Type

/** Where the gateway is, and whether the console signs in there for this client. */
export const ConnectDefaults = Schema.Struct({
  wsUrl: Schema.String,
  token: Schema.Null,
  agentName: Schema.String,
  authEnabled: Schema.Boolean,
  serverSideAuth: Schema.Boolean,
  /** All of them, the primary first; absent while it's the only one. */
  gateways: Schema.optionalKey(Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String })))
})
export type ConnectDefaults = typeof ConnectDefaults.Type

/** One thing the console needs, and its state. */
export const DoctorCheck = Schema.Struct({
  /** Stable name of the check. */
  id: Schema.Literals([
    "node",
    "settings",
    "git",
    "gateway-cli",
    "agent-b",
    "gateway",
    "token",
    "device",
    "signin",
    "port",
    "certificate",
    "proxy",
    "home",
    "board",
    "budgets",
    "backup",
    "gateway-files",
    "ffmpeg",
    "speech-model"
  ]),
  title: Schema.String,
  /** `problem`: something doesn't work. `warning`: something works in part, or will stop working. */
  state: Schema.Literals(["ok", "warning", "problem"]),
  /** What was found, in one sentence. */
  detail: Schema.String,
  why: Schema.optionalKey(Why),
  /** What to do about it, if anything. */
  fix: Schema.optionalKey(Schema.String),
  fixWhy: Schema.optionalKey(Why)
})
export type DoctorCheck = typeof DoctorCheck.Type

export const DoctorReport = Schema.Struct({ checks: Schema.Array(DoctorCheck) })
export type DoctorReport = typeof DoctorReport.Type
