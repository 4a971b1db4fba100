import { Clock, Effect, Schedule, Schema, type Scope } from "effect"
import type { GatewayClientShape } from "../gateway/client/GatewayClient.ts"
import type { CronRunEnd } from "../gateway/feed/cronRuns.ts"
import { CronJobList } from "../gateway/feed/cronRuns.ts"
import type { GatewayFeedShape } from "../gateway/feed/GatewayFeed.ts"
import { alreadySettled, type InboxSource, type ItemStore } from "./ItemStore.ts"
import { actionsOf, headline, UNKNOWN_ACTION } from "./inboxRules.ts"
import { type ItemDraft, openOf } from "./inboxTable.ts"

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

/** The id of an item's job, from its key. */
const jobOf = (source: string): string => source.slice(0, source.lastIndexOf("@"))

/** Scheduled jobs whose last run failed: one item for each, until it's dismissed or a run succeeds. */
export const makeCronSource = Effect.fnUntraced(function* (
  gateway: Pick<GatewayClientShape, "request">,
  feed: GatewayFeedShape,
  store: ItemStore
): Effect.fn.Return<InboxSource, never, Scope.Scope> {
  const { gatewayId } = feed

  const nameOf = (run: CronRunEnd) =>
    run.name === undefined
      ? gateway.request("cron.list", { includeDisabled: true, limit: MAX_JOBS }, CronJobList).pipe(
          Effect.map(({ jobs }) => jobs.find(({ id }) => id === run.jobId)?.name ?? undefined),
          Effect.orElseSucceed(() => undefined)
        )
      : Effect.succeed(run.name)

  const onEvent = Effect.fnUntraced(function* (run: CronRunEnd) {
    if (run.status === "skipped") return
    const draft = run.status === "error" ? cronDraft(gatewayId, run, yield* nameOf(run)) : undefined
    yield* store.change((db) => {
      const open = openOf(db, gatewayId, CRON_ORIGIN).filter(({ from }) => jobOf(from.source) === run.jobId)
      if (draft !== undefined) return open.length === 0 ? store.opened(db, draft) : []
      return open.flatMap((stored) =>
        store.settled(db, stored, () => ({ action: "retry", at: run.at, by: "elsewhere" }))
      )
    })
  })

  yield* feed.follow((event) =>
    event._tag !== "CronEnded"
      ? Effect.void
      : onEvent(event.run).pipe(
          Effect.retry(AGAIN),
          Effect.catch(({ message }) => Effect.logWarning(`Couldn't store how a scheduled job ended: ${message}`))
        )
  )

  return {
    origins: [CRON_ORIGIN],
    execute: ({ from }, { action }) =>
      action === "dismiss"
        ? Effect.void
        : gateway.request("cron.run", { id: jobOf(from.source), mode: "force" }, Schema.Unknown).pipe(
            Effect.asVoid,
            Effect.catchIf(
              ({ reason }) => reason === "not_found",
              () =>
                Effect.flatMap(Clock.currentTimeMillis, (at) =>
                  Effect.fail(alreadySettled(() => ({ action: UNKNOWN_ACTION, at, by: "elsewhere" })))
                )
            )
          ),
    reload: () => Effect.void
  }
})
