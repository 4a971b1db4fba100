import { Clock, Effect, PubSub, Queue, Random, type Redacted, Schema, Stream, SubscriptionRef } from "effect"
import { DeviceIdentity } from "../device/DeviceIdentity.ts"
import { EventBus } from "../events/EventBus.ts"
import { Settings } from "../settings/Settings.ts"
import { Answering } from "../startup/Answering.ts"
import type { GatewayClientShape, GatewayConnection, GatewayEvent, GatewayStatus } from "./GatewayClient.ts"
import { GatewayError } from "./GatewayError.ts"
import { callFailed, connecting, linkEnded, noToken, starting, timedOut, wrongShape } from "./gatewayFailures.ts"
import { CONSOLE_SCOPES, type GatewayLink, openLink } from "./gatewayLink.ts"
import type { OpenSocket } from "./gatewaySocket.ts"
import type { CallFailure } from "./pendingCalls.ts"
import { type Attempt, DEVICE_RETRY_MS, FIRST_ATTEMPT, nextAttempt, type Outcome } from "./reconnectRules.ts"

interface Up {
  readonly _tag: "Up"
  readonly link: GatewayLink
  /** Why the link has no scopes; `undefined` when it has them. */
  readonly reduced: GatewayError | undefined
}

type LinkState =
  /** An attempt is under way: calls wait for it. */
  | { readonly _tag: "Opening" }
  | Up
  /** Calls fail at once with this. */
  | { readonly _tag: "Down"; readonly error: GatewayError }

const OPENING: LinkState = { _tag: "Opening" }
const EVENT_BACKLOG = 1024
const INTERNAL_ERROR_CLOSE = 1011
const DEFAULT_CALL_LIMIT = "10 seconds"

const connectionOf = ({ link: { hello }, reduced }: Up): GatewayConnection => ({
  protocol: hello.protocol,
  version: hello.server?.version,
  scopes: hello.auth?.scopes ?? (reduced === undefined ? CONSOLE_SCOPES : []),
  methods: new Set(hello.features?.methods)
})

/** Builds the client over any kind of socket (D34). */
export const makeGatewayClient = Effect.fnUntraced(function* (openSocket: OpenSocket) {
  const settings = yield* Settings
  const identity = yield* DeviceIdentity
  const bus = yield* EventBus
  const state = yield* SubscriptionRef.make<LinkState>(OPENING)
  const events = yield* PubSub.sliding<GatewayEvent>(EVENT_BACKLOG)
  yield* Effect.addFinalizer(() => PubSub.shutdown(events))
  const arrived = yield* Queue.sliding<GatewayEvent>(EVENT_BACKLOG)
  yield* Queue.take(arrived).pipe(
    Effect.flatMap((event) => PubSub.publish(events, event)),
    Effect.forever,
    Effect.forkScoped
  )

  let status: GatewayStatus = {
    gateway: "unreachable",
    since: yield* Clock.currentTimeMillis,
    reason: connecting.message
  }
  const setStatus = Effect.fnUntraced(function* (gateway: GatewayStatus["gateway"], reason: GatewayError | undefined) {
    if (status.gateway === gateway && status.reason === reason?.message) return
    const since = status.gateway === gateway ? status.since : yield* Clock.currentTimeMillis
    status = { gateway, since, ...(reason === undefined ? {} : { reason: reason.message }) }
    yield* bus.publish("status.changed", status)
    yield* gateway === "ok" && reason === undefined
      ? Effect.logInfo("connected to the gateway")
      : Effect.logWarning(reason?.message ?? "the gateway cannot be reached")
  })

  const runLink = Effect.fnUntraced(function* (attempt: Attempt, token: Redacted.Redacted<string>) {
    const link = yield* openLink({
      openSocket,
      url: settings.gatewayUrl,
      token,
      identity,
      signing: attempt.signing,
      onEvent: (event) => Queue.offerUnsafe(arrived, event)
    })
    const reduced = attempt.signing === "none" ? attempt.deviceRefused : undefined
    if (reduced === undefined) {
      yield* link
        .call("sessions.subscribe", {})
        .pipe(Effect.timeout(DEFAULT_CALL_LIMIT), Effect.ignore, Effect.forkScoped({ startImmediately: true }))
    }
    yield* SubscriptionRef.set(state, { _tag: "Up", link, reduced })
    yield* setStatus("ok", reduced)
    const end = yield* reduced === undefined
      ? link.ended
      : link.ended.pipe(
          Effect.timeoutOrElse({ duration: DEVICE_RETRY_MS, orElse: () => Effect.succeed("retry-device" as const) })
        )
    yield* SubscriptionRef.set(state, OPENING)
    const livedMs = (yield* Clock.currentTimeMillis) - link.connectedAt
    return { _tag: "Ended", end, livedMs } satisfies Outcome
  })

  const keepConnected = Effect.gen(function* () {
    const token = settings.gatewayToken
    if (token === undefined) {
      yield* SubscriptionRef.set(state, { _tag: "Down", error: noToken })
      return yield* setStatus("unreachable", noToken)
    }
    let attempt = FIRST_ATTEMPT
    for (;;) {
      const outcome: Outcome = yield* Effect.scoped(runLink(attempt, token)).pipe(
        Effect.catch(Effect.succeed),
        Effect.catchDefect((defect) =>
          Effect.logError("unexpected error on the gateway link", defect).pipe(
            Effect.as({ _tag: "Failed", error: linkEnded(INTERNAL_ERROR_CLOSE) } satisfies Outcome)
          )
        )
      )
      const next = nextAttempt(attempt, outcome, yield* Random.next)
      attempt = next.attempt
      if (next.down !== undefined) {
        yield* SubscriptionRef.set(state, { _tag: "Down", error: next.down })
        yield* setStatus("unreachable", next.down)
      } else if (outcome._tag === "Refused" && outcome.refusal.kind === "starting") {
        yield* setStatus("unreachable", starting)
      }
      yield* Effect.sleep(next.delayMs)
      yield* SubscriptionRef.set(state, OPENING)
    }
  })
  const answering = yield* Answering
  yield* Effect.forkScoped(Effect.andThen(answering.wait, keepConnected))

  const settled = SubscriptionRef.changes(state).pipe(
    Stream.filter((current) => current._tag !== "Opening"),
    Stream.runHead
  )
  const currentLink = Effect.gen(function* () {
    for (;;) {
      const current = yield* SubscriptionRef.get(state)
      if (current._tag === "Up") return current
      if (current._tag === "Down") return yield* current.error
      yield* settled
    }
  })
  const explain = (method: string, reduced: GatewayError | undefined) => (failure: CallFailure) =>
    failure._tag === "Lost" ? linkEnded(failure.end) : callFailed(method, failure.error, reduced)

  const tooLate = (method: string) =>
    Effect.flatMap(SubscriptionRef.get(state), (current) =>
      Effect.fail(
        current._tag === "Up"
          ? timedOut(method)
          : new GatewayError({ reason: "unreachable", message: status.reason ?? connecting.message })
      )
    )

  const request: GatewayClientShape["request"] = (method, params, payload, options) =>
    currentLink.pipe(
      Effect.flatMap(({ link, reduced }) => Effect.mapError(link.call(method, params), explain(method, reduced))),
      Effect.flatMap((answer) =>
        Effect.mapError(Schema.decodeUnknownEffect(payload)(answer), () => wrongShape(method))
      ),
      Effect.timeoutOrElse({ duration: options?.timeout ?? DEFAULT_CALL_LIMIT, orElse: () => tooLate(method) }),
      Effect.withSpan("GatewayClient.request", { attributes: { method } })
    )

  const whenUp = <A>(read: (up: Up) => A) =>
    Effect.map(SubscriptionRef.get(state), (current) => (current._tag === "Up" ? read(current) : undefined))

  return {
    request,
    events: PubSub.subscribe(events),
    status: Effect.sync(() => status),
    gatewayStartedAt: whenUp(({ link: { hello, connectedAt } }) =>
      hello.snapshot?.uptimeMs === undefined ? undefined : Math.round(connectedAt - hello.snapshot.uptimeMs)
    ),
    connection: whenUp(connectionOf)
  } satisfies GatewayClientShape
})
