import { readdir } from "node:fs/promises"
import { Clock, Effect, Layer, Metric, Option, Schedule } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { TASK_STATUSES } from "../../../contract/board.ts"
import { BUDGET_STATES } from "../../../contract/budget.ts"
import { OUTBOX_STATES } from "../../../contract/outbox.ts"
import { Auth } from "../../../services/access/auth/Auth.ts"
import { RequestTrust } from "../../../services/access/trust/RequestTrust.ts"
import { Board } from "../../../services/board/Board.ts"
import { Budgets } from "../../../services/budgets/Budgets.ts"
import { GatewayClient } from "../../../services/gateway/client/GatewayClient.ts"
import { EveryGateway } from "../../../services/gateway/registry/EveryGateway.ts"
import { lastBackup } from "../../../services/machine/doctor/backupRules.ts"
import { Outbox } from "../../../services/outbox/Outbox.ts"
import { Settings } from "../../../services/platform/settings/Settings.ts"
import { packageInfo } from "../../../services/platform/version/packageInfo.ts"
import { TokenUsage } from "../../../services/usage/TokenUsage.ts"
import { errorResponse } from "../../apiResponse.ts"
import { authenticationRequired } from "../../middleware/authentication.ts"
import { marked, OWN_ACCESS } from "../../RouteMark.ts"
import { EventHub } from "../events/EventHub.ts"
import {
  backupInterval,
  boardTasks,
  budgetCount,
  cost,
  cpuSeconds,
  eventStreams,
  feedLag,
  gatewayUp,
  heapUsed,
  info,
  lastBackupTime,
  openFiles,
  outboxAge,
  outboxMessages,
  proxySessions,
  residentMemory,
  startTime,
  stopped,
  usedTokens
} from "./metrics.ts"

/** How often the metrics are refreshed for a collector, which receives them by push. */
const EXPORT_EVERY = "30 seconds"
/** Don't wait for the first count of a large history; the next response has it. */
const USAGE_WITHIN = "1 second"

const onlyLocal = () =>
  errorResponse(
    403,
    "forbidden",
    "metrics are only available on this machine: request them from there, or turn on sign-in and sign in"
  )

const processFigures = Effect.gen(function* () {
  const { user, system } = process.cpuUsage()
  const descriptors = yield* Effect.option(Effect.tryPromise(() => readdir("/proc/self/fd")))
  const now = yield* Clock.currentTimeMillis
  yield* Metric.update(residentMemory, process.memoryUsage.rss())
  yield* Metric.update(heapUsed, process.memoryUsage().heapUsed)
  const counted = yield* Metric.value(cpuSeconds)
  yield* Metric.update(cpuSeconds, (user + system) / 1e6 - counted.count)
  yield* Metric.update(startTime, now / 1000 - process.uptime())
  if (Option.isSome(descriptors)) yield* Metric.update(openFiles, descriptors.value.length)
})

/** `GET /metrics` in Prometheus text format, for this machine and for signed-in users. */
export const MetricsRoute = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const settings = yield* Settings
    const auth = yield* Auth
    const trust = yield* RequestTrust
    const gateway = yield* GatewayClient
    const board = yield* Board
    const usage = yield* TokenUsage
    const hub = yield* EventHub
    const outbox = yield* Outbox
    const budgets = yield* Budgets
    const every = yield* EveryGateway
    const feeds = yield* every.each(({ feed, id }) =>
      Effect.as(
        // Nobody should be alerted about a gateway that was removed.
        Effect.addFinalizer(() => Metric.remove(feedLag(id))),
        feed
      )
    )

    const outboxFigures = Effect.gen(function* () {
      const { byState, oldestDue } = yield* outbox.backlog
      for (const state of OUTBOX_STATES) yield* Metric.update(outboxMessages(state), byState.get(state) ?? 0)
      const now = yield* Clock.currentTimeMillis
      yield* Metric.update(outboxAge, oldestDue === undefined ? 0 : Math.max(0, now - oldestDue) / 1000)
    })
    const budgetFigures = Effect.gen(function* () {
      const { budgets: all, stop } = yield* budgets.list
      for (const state of BUDGET_STATES)
        yield* Metric.update(budgetCount(state), all.filter((budget) => budget.state === state).length)
      yield* Metric.update(stopped, stop.active ? 1 : 0)
    })
    const feedFigures = Effect.forEach(feeds, ([id, feed]) =>
      Effect.flatMap(feed.lagMs, (lag) => Metric.update(feedLag(id), lag / 1000))
    )
    const backupFigures = Effect.gen(function* () {
      yield* Metric.update(backupInterval, settings.backupEvery * 3600)
      yield* Metric.update(lastBackupTime, ((yield* lastBackup(settings.svcHome)) ?? 0) / 1000)
    })
    const boardFigures = Effect.forEach(
      TASK_STATUSES,
      (status) =>
        Effect.flatMap(board.list({ statuses: [status], priorities: [], limit: 1, offset: 0 }), ({ total }) =>
          Metric.update(boardTasks(status), total)
        ),
      { discard: true }
    )
    const usageFigures = Effect.gen(function* () {
      const counted = yield* Effect.timeoutOption(usage.summary(), USAGE_WITHIN)
      if (Option.isNone(counted)) return
      const { totalInput, totalOutput, totalCost } = counted.value.persistent
      yield* Metric.update(usedTokens("input"), totalInput)
      yield* Metric.update(usedTokens("output"), totalOutput)
      yield* Metric.update(cost, totalCost)
    })

    const refresh = Effect.gen(function* () {
      yield* Metric.update(info(packageInfo.version), 1)
      yield* Metric.update(gatewayUp, (yield* gateway.status).gateway === "ok" ? 1 : 0)
      yield* Metric.update(eventStreams, yield* hub.size)
      yield* Metric.modify(proxySessions, 0)
      yield* processFigures
      yield* feedFigures
      yield* budgetFigures
      yield* backupFigures
      // What can't be read keeps its last value; its own routes say why.
      yield* Effect.ignore(outboxFigures)
      yield* Effect.ignore(boardFigures)
      yield* Effect.ignore(usageFigures)
    })

    const answer = Effect.gen(function* () {
      yield* refresh
      const { PrometheusMetrics } = yield* Effect.promise(() => import("effect/observability"))
      return HttpServerResponse.text(yield* PrometheusMetrics.format(), {
        contentType: "text/plain; version=0.0.4; charset=utf-8"
      })
    })

    const handle = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const peer = Option.getOrUndefined(request.peerAddress)
      const { headers } = request
      if (trust.isLocal({ peer, headers }) || (yield* auth.hasSession(headers.cookie))) return yield* answer
      return auth.enabled ? authenticationRequired() : onlyLocal()
    })

    yield* router.add("GET", "/metrics", handle).pipe(marked(OWN_ACCESS))
    if (settings.otlpEndpoint !== undefined) {
      yield* refresh.pipe(Effect.schedule(Schedule.spaced(EXPORT_EVERY)), Effect.forkScoped)
    }
  })
)
