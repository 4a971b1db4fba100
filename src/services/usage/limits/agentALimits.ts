import { Clock, DateTime, Effect, FileSystem, Option, Path, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { failure } from "../../../contract/failures.ts"
import type { AgentALimits } from "../../../contract/schema/usage.ts"
import { outgoingHttp } from "../../platform/outgoing/OutgoingHttp.ts"
import type { SettingsShape } from "../../platform/settings/Settings.ts"
import { percent, unavailable } from "./limitReport.ts"

const Balance = Schema.Union([Schema.Finite, Schema.FiniteFromString])

const Credits = Schema.Struct({
  has_credits: Schema.optionalKey(Schema.Boolean),
  unlimited: Schema.optionalKey(Schema.Boolean),
  balance: Schema.optionalKey(Schema.NullOr(Balance))
})

const RemoteWindow = Schema.Struct({
  used_percent: Schema.Finite,
  reset_at: Schema.optionalKey(Schema.NullOr(Schema.Finite))
})

/** The remote response. */
const RemoteReport = Schema.Struct({
  plan_type: Schema.optionalKey(Schema.String),
  rate_limit: Schema.Struct({
    primary_window: Schema.optionalKey(Schema.NullOr(RemoteWindow)),
    secondary_window: Schema.optionalKey(Schema.NullOr(RemoteWindow))
  }),
  credits: Schema.optionalKey(Schema.NullOr(Credits))
})

const LocalWindow = Schema.Struct({
  used_percent: Schema.Finite,
  resets_at: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
  resets_in_seconds: Schema.optionalKey(Schema.NullOr(Schema.Finite))
})

/** A session file's line with limits; `timestamp` is ISO 8601. */
const LocalReport = Schema.fromJsonString(
  Schema.Struct({
    timestamp: Schema.String,
    payload: Schema.Struct({
      rate_limits: Schema.Struct({
        primary: Schema.optionalKey(Schema.NullOr(LocalWindow)),
        secondary: Schema.optionalKey(Schema.NullOr(LocalWindow)),
        credits: Schema.optionalKey(Schema.NullOr(Credits)),
        plan_type: Schema.optionalKey(Schema.NullOr(Schema.String))
      })
    })
  })
)

const format = (seconds: number | null): string | null => {
  const time = seconds === null ? undefined : DateTime.make(seconds * 1000)
  return time === undefined || time._tag === "None" ? null : DateTime.formatIso(time.value)
}

const windowOf = (used: number, resetsAt: number | null, now: number): AgentALimits["weekly_limit"] => {
  // A window that has ended since then is empty again.
  const usedPercent = resetsAt !== null && resetsAt * 1000 <= now ? 0 : percent(used)
  return {
    used_percent: usedPercent,
    left_percent: 100 - usedPercent,
    resets_at: resetsAt,
    resets_at_formatted: format(resetsAt)
  }
}

const creditsOf = (credits: typeof Credits.Type | null | undefined): AgentALimits["credits"] => ({
  has_credits: credits?.has_credits ?? false,
  unlimited: credits?.unlimited ?? false,
  balance: credits?.balance ?? 0
})

/** The limits from the remote service. */
const fromRemote = (report: typeof RemoteReport.Type, now: number): AgentALimits => {
  const window = (found: typeof RemoteWindow.Type | null | undefined) =>
    found === null || found === undefined ? null : windowOf(found.used_percent, found.reset_at ?? null, now)
  return {
    available: true,
    source: "api",
    five_hour_limit: window(report.rate_limit.primary_window),
    weekly_limit: window(report.rate_limit.secondary_window),
    credits: creditsOf(report.credits),
    plan_type: report.plan_type ?? "unknown"
  }
}

/** The latest limits in a session file. */
const fromLocal = (report: typeof LocalReport.Type, now: number): AgentALimits => {
  const writtenAt = Date.parse(report.timestamp)
  const { primary, secondary, credits, plan_type } = report.payload.rate_limits
  const window = (found: typeof LocalWindow.Type | null | undefined) => {
    if (found === null || found === undefined) return null
    const ends = found.resets_in_seconds ?? undefined
    const resetsAt = found.resets_at ?? (ends === undefined ? null : Math.round(writtenAt / 1000 + ends))
    return windowOf(found.used_percent, Number.isFinite(resetsAt) ? resetsAt : null, now)
  }
  return {
    available: true,
    source: "local",
    five_hour_limit: window(primary),
    weekly_limit: window(secondary),
    credits: creditsOf(credits),
    plan_type: plan_type ?? "unknown"
  }
}

const Credentials = Schema.fromJsonString(
  Schema.Struct({
    tokens: Schema.Struct({ access_token: Schema.String, account_id: Schema.optionalKey(Schema.String) })
  })
)
const decodeCredentials = Schema.decodeUnknownEffect(Credentials)
const decodeRemote = Schema.decodeUnknownEffect(RemoteReport)
const decodeLocal = Schema.decodeUnknownOption(LocalReport)

const REMOTE_LIMIT = "5 seconds"
const CREDENTIALS_FILE = "auth.json"
const SESSIONS = "sessions"
/** How many of the newest files are read; older limits are outdated. */
const MAX_FILES = 5
/** How much of a file's end is read, in bytes. */
const TAIL_BYTES = 512 * 1024
const YEAR_MONTH_DAY = 3

const NOTHING = unavailable(failure("AGENT_A_SIGNED_OUT"))

/** Asks agent A's service with its own credentials, or else reads its newest session files. */
export const readAgentALimits = Effect.fn("readAgentALimits")(function* (settings: SettingsShape) {
  const fs = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const client = yield* outgoingHttp

  const remote = Effect.gen(function* () {
    const text = yield* fs.readFileString(paths.join(settings.agentADir, CREDENTIALS_FILE))
    const { tokens } = yield* decodeCredentials(text)
    const request = HttpClientRequest.get(`${settings.agentABaseUrl}/wham/usage`).pipe(
      HttpClientRequest.bearerToken(tokens.access_token),
      tokens.account_id === undefined
        ? (same) => same
        : HttpClientRequest.setHeader("chatgpt-account-id", tokens.account_id)
    )
    const response = yield* HttpClient.filterStatusOk(client).execute(request)
    const report = yield* response.json.pipe(Effect.flatMap(decodeRemote))
    return fromRemote(report, yield* Clock.currentTimeMillis)
  }).pipe(Effect.timeout(REMOTE_LIMIT))

  const newestFirst = (folder: string) =>
    fs.readDirectory(folder).pipe(
      Effect.map((names) => names.toSorted().toReversed()),
      Effect.orElseSucceed(() => [])
    )

  /** Session files by day, `sessions/<year>/<month>/<day>/…`, the newest first. */
  const newestFiles = Effect.gen(function* () {
    const found: Array<string> = []
    const walk = (folder: string, depth: number): Effect.Effect<void> =>
      Effect.gen(function* () {
        for (const name of yield* newestFirst(folder)) {
          if (found.length >= MAX_FILES) return
          if (depth > 0) yield* walk(paths.join(folder, name), depth - 1)
          else if (name.endsWith(".jsonl")) found.push(paths.join(folder, name))
        }
      })
    yield* walk(paths.join(settings.agentADir, SESSIONS), YEAR_MONTH_DAY)
    return found
  })

  const endOf = Effect.fnUntraced(function* (path: string) {
    const info = yield* fs.stat(path)
    if (info.type !== "File") return ""
    const handle = yield* fs.open(path, { flag: "r" })
    const size = Number(info.size)
    yield* handle.seek(BigInt(Math.max(0, size - TAIL_BYTES)), "start")
    const bytes = yield* handle.readAlloc(Math.min(size, TAIL_BYTES))
    return Option.isSome(bytes) ? new TextDecoder().decode(bytes.value) : ""
  }, Effect.scoped)

  const local = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    for (const path of yield* newestFiles) {
      const text = yield* Effect.orElseSucceed(endOf(path), () => "")
      for (const line of text.split("\n").toReversed()) {
        if (!line.includes('"rate_limits"')) continue
        const report = decodeLocal(line)
        if (Option.isSome(report)) return fromLocal(report.value, now)
      }
    }
    return NOTHING
  })

  return yield* Effect.catch(remote, () => local)
})
