import { Clock, Effect, Schedule, Schema, type Scope } from "effect"
import type { GatewayClientShape } from "../gateway/client/GatewayClient.ts"
import type { CronRunEnd } from "../gateway/feed/cronRuns.ts"
import { CronJobList } from "../gateway/feed/cronRuns.ts"
import type { GatewayFeedShape } from "../gateway/feed/GatewayFeed.ts"
import { headline } from "./headline.ts"
import type { InboxLedger } from "./InboxLedger.ts"
import { type InboxDesk, settledAs } from "./inboxDesk.ts"
import { actionsOf, UNKNOWN_ACTION } from "./inboxRules.ts"
import { type ItemDraft, openOf } from "./inboxStore.ts"

export const CRON_ORIGIN = "cron"
const AGAIN = { schedule: Schedule.spaced("5 seconds"), times: 12 } as const
const MAX_JOBS = 200

/** The item for a run of a job that failed. */
const cronDraft = (gatewayId: string, run: CronRunEnd, name: string | undefined): ItemDraft => {
  const why = (run.error ?? run.summary)?.trim()
  return {
    gatewayId,
    origin: CRON_ORIGIN,
    source: run.id,
    kind: "failed",
    title: headline(name ?? "Scheduled job"),
    ...(why === undefined || why === "" ? {} : { detail: why.slice(0, 2_000) }),
    ...(run.sessionKey === undefined ? {} : { sessionKey: run.sessionKey }),
    createdAt: run.at,
    offers: actionsOf("failed").map(({ id }) => id)
  }
}

/** The id of the job that a source is about. */
const jobOf = (source: string): string => source.slice(0, source.lastIndexOf("@"))

/** Scheduled jobs whose last run failed: one item for each, until somebody dismisses it or it runs well. */
export const cronDesk = Effect.fnUntraced(function* (
  gateway: Pick<GatewayClientShape, "request">,
  feed: GatewayFeedShape,
  ledger: InboxLedger
): Effect.fn.Return<InboxDesk, never, Scope.Scope> {
  const { gatewayId } = feed

  const nameOf = (run: CronRunEnd) =>
    run.name === undefined
      ? gateway.request("cron.list", { includeDisabled: true, limit: MAX_JOBS }, CronJobList).pipe(
          Effect.map(({ jobs }) => jobs.find(({ id }) => id === run.jobId)?.name ?? undefined),
          Effect.orElseSucceed(() => undefined)
        )
      : Effect.succeed(run.name)

  const hear = Effect.fnUntraced(function* (run: CronRunEnd) {
    if (run.status === "skipped") return
    const draft = run.status === "error" ? cronDraft(gatewayId, run, yield* nameOf(run)) : undefined
    yield* ledger.change((db) => {
      const open = openOf(db, gatewayId, CRON_ORIGIN).filter(({ from }) => jobOf(from.source) === run.jobId)
      if (draft !== undefined) return open.length === 0 ? ledger.opened(db, draft) : []
      return open.flatMap((stored) =>
        ledger.settled(db, stored, () => ({ action: "retry", at: run.at, by: "elsewhere" }))
      )
    })
  })

  yield* feed.follow((event) =>
    event._tag !== "CronEnded"
      ? Effect.void
      : hear(event.run).pipe(
          Effect.retry(AGAIN),
          Effect.catch(({ message }) => Effect.logWarning(`Couldn't store how a scheduled job ended: ${message}`))
        )
  )

  return {
    origins: [CRON_ORIGIN],
    carryOut: ({ from }, { action }) =>
      action === "dismiss"
        ? Effect.void
        : gateway.request("cron.run", { id: jobOf(from.source), mode: "force" }, Schema.Unknown).pipe(
            Effect.asVoid,
            Effect.catchIf(
              ({ reason }) => reason === "not_found",
              () =>
                Effect.flatMap(Clock.currentTimeMillis, (at) =>
                  Effect.fail(settledAs(() => ({ action: UNKNOWN_ACTION, at, by: "elsewhere" })))
                )
            )
          ),
    readAgain: () => Effect.void
  }
})
