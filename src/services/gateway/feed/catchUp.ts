import { Effect, Schema } from "effect"
import type { GatewayClientShape } from "../client/GatewayClient.ts"
import type { ListedSessions } from "../sessions/ListedSessions.ts"
import { sessionRows } from "../sessions/sessionSchemas.ts"
import { CronEntries, CronJobList, type CronRunEnd, readCronEnd } from "./cronRuns.ts"
import { type FeedMessage, readHistoryMessage, readMessage } from "./feedMessage.ts"
import type { FeedPosition } from "./feedPosition.ts"
import { mayHaveNews, unread } from "./feedRules.ts"

const PROTOCOL_WITH_CURSORS = 4
const JOBS = 200
const RUNS_PER_JOB = 20
const FIRST_PAGE = 200
/** The most a gateway gives at once. */
const WHOLE_PAGE = 1000
/** Newer gateways shorten texts without this limit. */
const MAX_CHARS = 200_000
/** Between two calls, so that a gateway with many sessions has time for others. */
const PAUSE = "25 millis"

const BACKGROUND = { background: true } as const

const SessionRow = Schema.Struct({
  key: Schema.String,
  updatedAt: Schema.optionalKey(Schema.NullOr(Schema.Finite))
})

const History = Schema.Struct({
  kind: Schema.optionalKey(Schema.String),
  messages: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  deltaCursor: Schema.optionalKey(Schema.NullOr(Schema.String))
})

const WholeMessage = Schema.Struct({ message: Schema.optionalKey(Schema.Unknown) })

interface CatchUpOptions {
  readonly gateway: GatewayClientShape
  readonly sessions: Pick<ListedSessions, "read">
  readonly position: FeedPosition
  readonly emitMessage: (message: FeedMessage) => Effect.Effect<void>
  readonly emitRun: (run: CronRunEnd) => Effect.Effect<void>
}

/** Reads what sessions and jobs did while the console wasn't listening. */
export const makeCatchUp = ({ gateway, sessions: listed, position, emitMessage, emitRun }: CatchUpOptions) => {
  const ask = <A>(method: string, params: object, payload: Schema.Decoder<A>) =>
    Effect.delay(gateway.request(method, params, payload, BACKGROUND), PAUSE)

  /** A message whose text was left out; older gateways don't have it any more. */
  const whole = (message: FeedMessage, isNew: boolean) =>
    isNew && message.isCut && message.message.role === "assistant"
      ? ask("chat.message.get", { sessionKey: message.sessionKey, messageId: message.id }, WholeMessage).pipe(
          Effect.map((found) => readHistoryMessage(message.sessionKey, found.message) ?? message),
          Effect.orElseSucceed(() => message)
        )
      : Effect.succeed(message)

  const delta = Effect.fnUntraced(function* (key: string, cursor: string) {
    const found = yield* ask("chat.history", { sessionKey: key, cursor }, History)
    if (found.kind !== "delta") return undefined
    const messages = (found.messages ?? []).flatMap((payload) => readMessage(payload) ?? [])
    return { messages, deltaCursor: found.deltaCursor ?? undefined, isFull: false, isNews: true }
  })

  const page = Effect.fnUntraced(function* (key: string, limit: number, isNew: boolean) {
    const more = isNew ? { maxChars: MAX_CHARS } : {}
    const found = yield* ask("chat.history", { sessionKey: key, limit, ...more }, History)
    const rows = found.messages ?? []
    const messages = rows.flatMap((row) => readHistoryMessage(key, row) ?? [])
    return { messages, deltaCursor: found.deltaCursor ?? undefined, isFull: rows.length >= limit, isNews: false }
  })

  const session = Effect.fnUntraced(function* (key: string, isNew: boolean) {
    const marks = position.marks()
    const cursor = position.cursorOf(key)
    const news = cursor?.deltaCursor === undefined || !isNew ? undefined : yield* delta(key, cursor.deltaCursor)
    let found = news ?? (yield* page(key, FIRST_PAGE, isNew))
    if (found.isFull && unread(found, cursor, marks).hasGap) found = yield* page(key, WHOLE_PAGE, isNew)
    for (const message of unread(found, cursor, marks).messages) yield* emitMessage(yield* whole(message, isNew))
    position.setDelta(key, found.deltaCursor)
  })

  const sessions = Effect.gen(function* () {
    const isNew = ((yield* gateway.connection)?.protocol ?? 0) >= PROTOCOL_WITH_CURSORS
    const before = position.isFirst() ? undefined : position.marks()
    // The latest come first; with nothing read so far, what is there is no news.
    const isEnough = (rows: ReadonlyArray<typeof SessionRow.Type>) =>
      before === undefined || !mayHaveNews(rows.at(-1)?.updatedAt ?? 0, before)
    const first = yield* listed.read
    const list =
      first.hasMore && !isEnough(first.rows)
        ? yield* sessionRows(gateway, SessionRow, { isBackground: true, isEnough })
        : first
    const marks = yield* position.begin(first)
    const changed = list.rows
      .map(({ key, updatedAt }) => ({ key, updatedAt: updatedAt ?? 0 }))
      .filter(({ updatedAt }) => mayHaveNews(updatedAt, marks))
      .sort((a, b) => a.updatedAt - b.updatedAt)
    for (const { key, updatedAt } of changed) {
      yield* session(key, isNew).pipe(
        // A session that can't be read doesn't prevent reading the others.
        Effect.catchIf(
          ({ reason }) => reason !== "unreachable" && reason !== "timeout",
          ({ message }) => Effect.logWarning(`Couldn't read what was missed in ${key}: ${message}`)
        )
      )
      // After a restart, reading continues from here.
      position.receivedUntil(updatedAt)
    }
    position.receivedUntil(list.ts ?? 0)
  })

  const crons = Effect.gen(function* () {
    const marks = position.marks()
    const { jobs } = yield* gateway.request(
      "cron.list",
      { includeDisabled: true, limit: JOBS },
      CronJobList,
      BACKGROUND
    )
    const ends: Array<CronRunEnd> = []
    for (const { id, name, state } of jobs) {
      if ((state?.lastRunAtMs ?? 0) + (state?.lastDurationMs ?? 0) <= marks.crons) continue
      const { entries } = yield* ask("cron.runs", { id, limit: RUNS_PER_JOB }, CronEntries)
      ends.push(...entries.flatMap((entry) => readCronEnd(entry, name ?? undefined) ?? []))
    }
    for (const end of ends.filter(({ at }) => at > marks.crons).sort((a, b) => a.at - b.at)) yield* emitRun(end)
  })

  return Effect.andThen(sessions, crons)
}
