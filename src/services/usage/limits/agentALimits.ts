import { Clock, Effect, FileSystem, Option, Path, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { failure } from "../../../contract/failures.ts"
import { outgoingHttp } from "../../platform/outgoing/OutgoingHttp.ts"
import type { SettingsShape } from "../../platform/settings/Settings.ts"
import { fromLocal, fromRemote, LocalReport, RemoteReport } from "./agentAReport.ts"
import { unavailable } from "./limitReport.ts"

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
