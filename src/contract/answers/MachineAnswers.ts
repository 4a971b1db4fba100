import type { Why } from "../failure.ts"
/** Whether the console is up, for how many seconds, and whether it reaches the gateway. */
export interface Health {
  readonly status: "ok"
  readonly uptime: number
  readonly gateway: "ok" | "unreachable"
  /** Only after a start that found the board's file damaged. */
  readonly database?: string
  /** Only of a board that several consoles share: `ok`, or why it can't be used for now. */
  readonly board?: string
}

/** Something that a console needs for its work. */
export interface ReadyCheck {
  readonly name: "store" | "board" | "gateway"
  readonly ok: boolean
  /** Whether the console is unavailable without it. */
  readonly required: boolean
}

/** Whether the console can do its work; the answer is 503 while it can't. */
export type Readiness =
  | { readonly status: "ok"; readonly checks: ReadonlyArray<ReadyCheck> }
  | { readonly status: "unavailable"; readonly checks: ReadonlyArray<ReadyCheck> }

/** Clock, time zone and agent name of the server; times in epoch milliseconds. */
export interface ServerInfo {
  readonly serverTime: number
  readonly gatewayStartedAt: number | null
  readonly timezone: string
  readonly agentName: string
}

/** Where the gateway is, and whether the console signs in there for this client. */
export interface ConnectDefaults {
  readonly wsUrl: string
  readonly token: null
  readonly agentName: string
  readonly authEnabled: boolean
  readonly serverSideAuth: boolean
  /** All of them, the primary first; absent while it's the only one. */
  readonly gateways?: ReadonlyArray<{ readonly id: string; readonly name: string }>
}

/** Whether a newer version is published; where `latest` is null or `installable` false, `reason` says why. */
export interface UpdateNotice {
  readonly current: string
  readonly latest: string | null
  readonly updateAvailable: boolean
  /** `agent-console update` can install a version here. */
  readonly installable: boolean
  readonly reason?: string
  readonly why?: Why
  /** Epoch milliseconds at which the answer was found. */
  readonly checkedAt: number
}

/** One thing the console needs, and how it stands. */
export interface DoctorCheck {
  /** Stable name of the check. */
  readonly id:
    | "node"
    | "settings"
    | "git"
    | "gateway-cli"
    | "agent-b"
    | "gateway"
    | "token"
    | "device"
    | "signin"
    | "port"
    | "certificate"
    | "proxy"
    | "home"
    | "board"
    | "backup"
    | "gateway-files"
    | "ffmpeg"
    | "speech-model"
  readonly title: string
  /** `problem`: something does not work. `warning`: something works in part, or will stop working. */
  readonly state: "ok" | "warning" | "problem"
  /** What was found, in one sentence. */
  readonly detail: string
  readonly why?: Why
  /** What to do about it; only where there is something to do. */
  readonly fix?: string
  readonly fixWhy?: Why
}

/** The installation and its state. */
export interface MachineAnswers {
  readonly "GET /health": Health
  readonly "GET /healthz": { readonly status: "ok" }
  readonly "GET /readyz": Readiness
  readonly "GET /api/version": { readonly version: string; readonly name: string }
  readonly "GET /api/version/check": UpdateNotice
  readonly "GET /api/server-info": ServerInfo
  readonly "GET /api/connect-defaults": ConnectDefaults
  readonly "GET /api/doctor": { readonly checks: ReadonlyArray<DoctorCheck> }
}
