import { Effect, Layer, Option, PubSub, Queue, Schema } from "effect"
import { qualifiedKey } from "../../contract/qualifiedKey.ts"
import type { GatewayClientShape } from "../gateway/client/GatewayClient.ts"
import { type ResponseEnd, saidText } from "../gateway/feed/feedMessage.ts"
import { makeSeen } from "../gateway/feed/feedRules.ts"
import { EveryGateway, type LinkedGateway } from "../gateway/registry/EveryGateway.ts"
import { rowsOf } from "../gateway/sessions/sessionSchemas.ts"
import { EventBus } from "../platform/events/EventBus.ts"
import { SessionLists } from "./SessionLists.ts"

/** Runs whose end is remembered: newer gateways may report an error twice. */
const MAX_SEEN = 1000
const MAX_PREVIEW = 200
/** Who waits for the news can do without a title. */
const TITLE_WITHIN = "2 seconds"

const OUTCOMES = { final: "done", error: "error", aborted: "aborted" } as const

const Text = Schema.optionalKey(Schema.NullOr(Schema.String))
const TitledRow = Schema.Struct({ key: Schema.String, label: Text, derivedTitle: Text })

const CronChange = Schema.Struct({
  jobId: Schema.NonEmptyString,
  action: Schema.NonEmptyString,
  runAtMs: Schema.optionalKey(Schema.NullOr(Schema.Finite))
})
const decodeCronChange = Schema.decodeUnknownOption(CronChange)

/** The beginning of an answer, on one line. What failed has none: its text is the gateway's. */
export const previewOf = ({ message, state }: ResponseEnd): string => {
  if (state === "error" || message === undefined) return ""
  const line = saidText(message).replace(/\s+/g, " ").trim()
  // Half of a character is none.
  return line.slice(0, MAX_PREVIEW).replace(/[\uD800-\uDBFF]$/, "")
}

/** The name that a person or the gateway gave a session; empty without one, and while the gateway doesn't say. */
const titleOf = (client: GatewayClientShape, key: string) =>
  rowsOf(client, TitledRow, new Set([key])).pipe(
    Effect.map(([row]) => row?.label ?? row?.derivedTitle ?? ""),
    Effect.timeoutOption(TITLE_WITHIN),
    Effect.map(Option.getOrElse(() => "")),
    Effect.orElseSucceed(() => "")
  )

/** Tells everybody when a turn has ended and when a scheduled job has changed or run, at any gateway. */
export const SessionNews = Layer.effectDiscard(
  Effect.gen(function* () {
    const bus = yield* EventBus
    const every = yield* EveryGateway
    const lists = yield* SessionLists

    const followTurns = Effect.fnUntraced(function* ({ activity, client, feed, id }: LinkedGateway) {
      const ended = makeSeen(MAX_SEEN)
      const tell = Effect.fnUntraced(function* (end: ResponseEnd) {
        const key = end.sessionKey ?? activity.sessionOf(end.runId)
        if (key === undefined) return
        // A message that waits behind a turn ends a run of its own at once, with nothing said.
        if (end.state === "final" && end.message === undefined && activity.isBusy(key)) return
        if (!ended.isFirst(end.runId)) return
        const sessionKey = qualifiedKey(id, key)
        const { derivedTitle, label } = lists.kept(sessionKey) ?? {}
        const title = label ?? derivedTitle ?? (yield* titleOf(client, key))
        const data = { sessionKey, outcome: OUTCOMES[end.state], title, preview: previewOf(end) }
        yield* bus.publish({ event: "session.ended", data })
      })
      const events = yield* feed.events
      yield* Queue.take(events).pipe(
        Effect.flatMap((event) => (event._tag === "ResponseEnded" ? tell(event.end) : Effect.void)),
        Effect.forever,
        Effect.forkScoped
      )
    })

    const followJobs = Effect.fnUntraced(function* ({ client, id: gatewayId }: LinkedGateway) {
      const events = yield* client.events
      yield* PubSub.take(events).pipe(
        Effect.flatMap(({ event, payload }) => {
          const change = event === "cron" ? Option.getOrUndefined(decodeCronChange(payload)) : undefined
          if (change === undefined) return Effect.void
          const { action, jobId, runAtMs } = change
          const data = { gatewayId, jobId, action, ...(typeof runAtMs === "number" ? { runAtMs } : {}) }
          return bus.publish({ event: "cron.changed", data })
        }),
        Effect.forever,
        Effect.forkScoped
      )
    })

    yield* every.each((gateway) => Effect.andThen(followTurns(gateway), followJobs(gateway)))
  })
)
