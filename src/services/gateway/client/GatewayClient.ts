import {
  Clock,
  Context,
  Deferred,
  type Duration,
  Effect,
  Layer,
  PubSub,
  Queue,
  Random,
  type Redacted,
  Result,
  Schema,
  type Scope,
  Semaphore,
  Stream,
  SubscriptionRef
} from "effect"
import { failureOf, reasonOf } from "../../../contract/failure.ts"
import type { GatewayStatus } from "../../../contract/schema/gateway.ts"
import { EventBus } from "../../platform/events/EventBus.ts"
import { ServerReady } from "../../platform/ServerReady.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import { DeviceIdentity } from "../device/DeviceIdentity.ts"
import { callFailed } from "./callFailures.ts"
import { FoundToken, tokenInUse } from "./FoundToken.ts"
import { GatewayError } from "./GatewayError.ts"
import { connecting, GatewayNaming, linkEnded, noToken, starting, timedOut, wrongShape } from "./gatewayFailures.ts"
import type { GatewayEvent } from "./gatewayFrames.ts"
import { type CallFailure, CONSOLE_SCOPES, type GatewayLink, openLink } from "./gatewayLink.ts"
import { type OpenSocket, openWebSocket } from "./gatewaySocket.ts"
import { type GatewayTaps, makeGatewayTaps } from "./gatewayTap.ts"
import { LinkWake } from "./LinkWake.ts"
import {
  APPROVAL_POLL_MS,
  type Attempt,
  type AttemptFailure,
  DEVICE_RETRY_MS,
  FIRST_ATTEMPT,
  nextAttempt,
  type Outcome,
  type Signing,
  signingOf
} from "./reconnectRules.ts"

/**
 * The client's own event, in order with the gateway's: the connection is up, or up again, with all its scopes, or so
 * much arrived at once that some was lost. Earlier events may be incomplete.
 */
export const LINKED = "agent-console.linked"
const LINKED_EVENT: GatewayEvent = { event: LINKED, payload: undefined }

/** What the gateway said about itself and this connection when it opened. */
export interface GatewayConnection {
  /** Generation of the wire protocol, 3 or 4. */
  readonly protocol: number
  /** The gateway's version; `undefined` if it doesn't say. */
  readonly version: string | undefined
  /** Granted scopes; none while the device is waiting for approval. */
  readonly scopes: ReadonlyArray<string>
  /** The methods it lists; some existing ones aren't listed. */
  readonly methods: ReadonlySet<string>
  /** The key of its main session. */
  readonly mainKey?: string | undefined
  /** Bytes of the largest frame it takes. */
  readonly maxPayload?: number | undefined
}

export interface GatewayClientShape {
  /**
   * Calls a method and decodes the payload of its first response (`agent` sends a second one: use `agent.wait` for
   * that). Waits for a connection that's still opening, up to the time limit (10 s by default); fails at once if the
   * gateway is known to be away. Interrupting it drops the call. A call that was sent and then lost is never sent
   * again. With `background`, it's sent only while no other call is on its way, and after the background calls before it.
   */
  readonly request: <A>(
    method: string,
    params: object,
    payload: Schema.Decoder<A>,
    options?: { readonly timeout?: Duration.Input; readonly background?: boolean }
  ) => Effect.Effect<A, GatewayError>
  /** All event frames from now until the scope closes. A reader more than 1024 events behind loses the oldest. */
  readonly events: Effect.Effect<PubSub.Subscription<GatewayEvent>, never, Scope.Scope>
  /** Hears everything at once and in order, until the scope closes; nothing is dropped. */
  readonly tap: GatewayTaps["tap"]
  readonly status: Effect.Effect<GatewayStatus>
  /** What keeps the connection from working, or from all its scopes; `undefined` while everything works. */
  readonly problem: Effect.Effect<GatewayError | undefined>
  /** When the gateway says it started, in epoch milliseconds; `undefined` while not connected. */
  readonly gatewayStartedAt: Effect.Effect<number | undefined>
  /** `undefined` while not connected. */
  readonly connection: Effect.Effect<GatewayConnection | undefined>
  /** The connection there is, or else the last one there was. */
  readonly latestConnection: Effect.Effect<GatewayConnection | undefined>
  /** When the next attempt to connect begins, in epoch milliseconds; `undefined` unless it's waiting for one. */
  readonly retryAt: Effect.Effect<number | undefined>
  /** Signals whenever any of these may have changed; a reader gets at most one signal it hasn't read. */
  readonly linkChanges: Effect.Effect<PubSub.Subscription<void>, never, Scope.Scope>
}

/** Runs background calls one after the other, and only while no other call is waiting. */
const makeCallPriority = Effect.gen(function* () {
  const turn = yield* Semaphore.make(1)
  let count = 0
  let over = Deferred.makeUnsafe<void>()
  const untilIdle: Effect.Effect<void> = Effect.suspend(() =>
    count === 0 ? Effect.void : Effect.andThen(Deferred.await(over), untilIdle)
  )
  return {
    /** Runs a call at once; background calls wait for it. */
    foreground: <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.suspend(() => {
        if (count === 0) over = Deferred.makeUnsafe<void>()
        count += 1
        return Effect.ensuring(
          effect,
          Effect.sync(() => {
            count -= 1
            if (count === 0) Deferred.doneUnsafe(over, Effect.void)
          })
        )
      }),
    /** Runs a call when no other is waiting. */
    background: <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      turn.withPermit(Effect.andThen(untilIdle, effect))
  }
})

/**
 * Polls the gateway about a device that's waiting for approval until the answer changes: accepted, or refused for
 * another reason. The gateway keeps one request per device, and asking renews it.
 */
const approvalDecided = Effect.fnUntraced(function* (options: {
  readonly pause: Effect.Effect<void>
  /** One attempt with the device, closed as soon as it's accepted. */
  readonly ask: Effect.Effect<void, AttemptFailure>
  /** Called whenever the approval is still missing; the request may be a new one. */
  readonly onPending: (reason: GatewayError) => Effect.Effect<void>
}) {
  for (;;) {
    yield* options.pause
    const answer = yield* Effect.result(options.ask)
    if (Result.isSuccess(answer)) return
    if (answer.failure._tag === "Failed") continue
    const { error, kind } = answer.failure.refusal
    if (kind === "unapproved") yield* options.onPending(error)
    else if (kind !== "retry") return
  }
})

interface Up {
  readonly _tag: "Up"
  readonly link: GatewayLink
  /** Why the connection has no scopes; `undefined` if it has them. */
  readonly reduced: GatewayError | undefined
}

type LinkState =
  /** An attempt is in progress: calls wait for it. */
  | { readonly _tag: "Opening" }
  | Up
  /** Calls fail at once with this. */
  | { readonly _tag: "Down"; readonly error: GatewayError }

const OPENING: LinkState = { _tag: "Opening" }
const EVENT_BACKLOG = 1024
const INTERNAL_ERROR_CLOSE = 1011
const DEFAULT_CALL_LIMIT = "10 seconds"
/** How long a call waits for another attempt to connect after a failed one. */
const KNOWN_DOWN_LIMIT = "2 seconds"
/** Characters kept of what a gateway calls its version. */
const MAX_VERSION = 64

const isUnapproved = (reason: GatewayError | undefined) => reason?.code === "PAIRING_REQUIRED"

const connectionOf = ({ link: { hello }, reduced }: Up): GatewayConnection => ({
  protocol: hello.protocol,
  version: hello.server?.version?.slice(0, MAX_VERSION),
  scopes: hello.auth?.scopes ?? (reduced === undefined ? CONSOLE_SCOPES : []),
  methods: new Set(hello.features?.methods),
  mainKey: hello.snapshot?.sessionDefaults?.mainSessionKey,
  maxPayload: hello.policy?.maxPayload
})

/** Builds the client over any kind of socket. */
export const makeGatewayClient = Effect.fnUntraced(function* (openSocket: OpenSocket) {
  const settings = yield* Settings
  const identity = yield* DeviceIdentity
  const bus = yield* EventBus
  const { forget, woken } = yield* LinkWake
  const names = yield* GatewayNaming
  const { readAgain } = yield* FoundToken
  const inUse = yield* tokenInUse
  const state = yield* SubscriptionRef.make<LinkState>(OPENING)
  const events = yield* PubSub.sliding<GatewayEvent>(EVENT_BACKLOG)
  yield* Effect.addFinalizer(() => PubSub.shutdown(events))
  const linkChanges = yield* PubSub.sliding<void>(1)
  yield* Effect.addFinalizer(() => PubSub.shutdown(linkChanges))
  const arrived = yield* Queue.sliding<GatewayEvent>(EVENT_BACKLOG)
  const taps = makeGatewayTaps()
  let hasLost = false
  const arrive = (event: GatewayEvent) => {
    hasLost = hasLost || Queue.isFullUnsafe(arrived)
    Queue.offerUnsafe(arrived, event)
  }
  yield* Queue.take(arrived).pipe(
    Effect.tap((event) => PubSub.publish(events, event)),
    Effect.tap(() => {
      if (!hasLost || Queue.sizeUnsafe(arrived) > 0) return Effect.void
      hasLost = false
      return PubSub.publish(events, LINKED_EVENT)
    }),
    Effect.forever,
    Effect.forkScoped
  )

  let status: GatewayStatus = {
    gateway: "unreachable",
    since: yield* Clock.currentTimeMillis,
    ...reasonOf(connecting)
  }
  let problem: GatewayError | undefined = connecting
  let latest: GatewayConnection | undefined
  let retryAt: number | undefined
  const setStatus = Effect.fnUntraced(function* (gateway: GatewayStatus["gateway"], reason: GatewayError | undefined) {
    problem = reason
    yield* PubSub.publish(linkChanges, undefined)
    if (status.gateway === gateway && status.reason === reason?.message) return
    const since = status.gateway === gateway ? status.since : yield* Clock.currentTimeMillis
    status = {
      gateway,
      since,
      ...(reason === undefined ? {} : reasonOf(reason)),
      ...(isUnapproved(reason) ? { approval: { requestId: reason?.requestId ?? null } } : {})
    }
    yield* bus.publish({ event: "status.changed", data: status })
    yield* gateway === "ok" && reason === undefined
      ? Effect.logInfo("Connected to the gateway")
      : Effect.logWarning(reason?.message ?? "Couldn't reach the gateway")
  })

  const linkWith = (token: Redacted.Redacted<string>, signing: Signing, onEvent: (event: GatewayEvent) => void) =>
    openLink({ openSocket, url: settings.gatewayUrl, names, token, identity, signing, onEvent })

  const runLink = Effect.fnUntraced(function* (attempt: Attempt, token: Redacted.Redacted<string>) {
    const tapped = taps.newConnection()
    const link = yield* linkWith(token, signingOf(attempt), (event) => {
      arrive(event)
      tapped(event)
    })
    yield* Effect.addFinalizer(() => Effect.sync(taps.down))
    const reduced = attempt.deviceRefused
    if (reduced === undefined) {
      yield* link.call("sessions.subscribe", {}).pipe(
        Effect.timeout(DEFAULT_CALL_LIMIT),
        Effect.ignore,
        Effect.andThen(
          Effect.sync(() => {
            arrive(LINKED_EVENT)
            taps.linked()
          })
        ),
        Effect.forkScoped({ startImmediately: true })
      )
    }
    const isUp = Effect.fnUntraced(function* (why: GatewayError | undefined) {
      const up: Up = { _tag: "Up", link, reduced: why }
      latest = connectionOf(up)
      yield* SubscriptionRef.set(state, up)
      yield* setStatus("ok", why)
    })
    yield* isUp(reduced)
    const untilDeviceMayTry = isUnapproved(reduced)
      ? approvalDecided({
          pause: Effect.raceFirst(Effect.sleep(APPROVAL_POLL_MS), woken),
          ask: Effect.scoped(Effect.asVoid(linkWith(token, attempt.signature, () => undefined))),
          onPending: isUp
        })
      : Effect.sleep(DEVICE_RETRY_MS)
    const end = yield* reduced === undefined
      ? link.ended
      : Effect.raceFirst(link.ended, Effect.as(untilDeviceMayTry, "retry-device" as const))
    yield* SubscriptionRef.set(state, OPENING)
    const livedMs = (yield* Clock.currentTimeMillis) - link.connectedAt
    return { _tag: "Ended", end, livedMs } satisfies Outcome
  })

  const keepConnected = Effect.gen(function* () {
    let attempt = FIRST_ATTEMPT
    for (;;) {
      const token = inUse()
      if (token === undefined) {
        yield* SubscriptionRef.set(state, { _tag: "Down", error: noToken })
        return yield* setStatus("unreachable", noToken)
      }
      yield* forget
      const outcome: Outcome = yield* Effect.scoped(runLink(attempt, token)).pipe(
        Effect.catch(Effect.succeed),
        Effect.catchDefect((defect) =>
          Effect.logError("Unexpected error on the gateway connection", defect).pipe(
            Effect.as({ _tag: "Failed", error: linkEnded(INTERNAL_ERROR_CLOSE) } satisfies Outcome)
          )
        )
      )
      if (outcome._tag === "Refused" && outcome.refusal.kind === "denied" && (yield* readAgain(token))) continue
      const next = nextAttempt(attempt, outcome, yield* Random.next)
      attempt = next.attempt
      // Only someone who got through during or after a failed attempt proves that the gateway is back.
      if (outcome._tag === "Ended") yield* forget
      if (next.down !== undefined) {
        retryAt = (yield* Clock.currentTimeMillis) + next.delayMs
        yield* SubscriptionRef.set(state, { _tag: "Down", error: next.down })
        yield* setStatus("unreachable", next.down)
      } else if (outcome._tag === "Refused" && outcome.refusal.kind === "retry") {
        yield* setStatus("unreachable", starting)
      }
      const pause = Effect.sleep(next.delayMs)
      yield* next.down === undefined ? pause : Effect.raceFirst(pause, woken)
      retryAt = undefined
      yield* SubscriptionRef.set(state, OPENING)
    }
  })
  const serverReady = yield* ServerReady
  yield* Effect.forkScoped(Effect.andThen(serverReady.wait, keepConnected))

  const settled = SubscriptionRef.changes(state).pipe(
    Stream.filter((current) => current._tag !== "Opening"),
    Stream.runHead
  )
  const stillDown = () => Effect.fail(new GatewayError({ reason: "unreachable", ...failureOf(problem ?? connecting) }))
  const currentLink = Effect.gen(function* () {
    for (;;) {
      const current = yield* SubscriptionRef.get(state)
      if (current._tag === "Up") return current
      if (current._tag === "Down") return yield* current.error
      // A gateway that was unreachable before gets a short time limit.
      const known = status.gateway === "unreachable" && status.reason !== connecting.message
      yield* known ? Effect.timeoutOrElse(settled, { duration: KNOWN_DOWN_LIMIT, orElse: stillDown }) : settled
    }
  })
  const explain = (method: string, params: object, reduced: GatewayError | undefined) => (failure: CallFailure) =>
    failure._tag === "Lost" ? linkEnded(failure.end) : callFailed({ method, params, error: failure.error }, reduced)

  const tooLate = (method: string) =>
    Effect.flatMap(SubscriptionRef.get(state), (current) =>
      current._tag === "Up" ? Effect.fail(timedOut(method)) : stillDown()
    )

  const priority = yield* makeCallPriority
  const request: GatewayClientShape["request"] = (method, params, payload, options) =>
    currentLink.pipe(
      Effect.flatMap(({ link, reduced }) =>
        Effect.mapError(link.call(method, params), explain(method, params, reduced))
      ),
      Effect.flatMap((answer) =>
        Effect.mapError(Schema.decodeUnknownEffect(payload)(answer), () => wrongShape(method))
      ),
      Effect.timeoutOrElse({ duration: options?.timeout ?? DEFAULT_CALL_LIMIT, orElse: () => tooLate(method) }),
      options?.background === true ? priority.background : priority.foreground,
      Effect.withSpan("GatewayClient.request", { attributes: { method } })
    )

  const whenUp = <A>(read: (up: Up) => A) =>
    Effect.map(SubscriptionRef.get(state), (current) => (current._tag === "Up" ? read(current) : undefined))

  return {
    request,
    events: PubSub.subscribe(events),
    tap: taps.tap,
    status: Effect.sync(() => status),
    problem: Effect.sync(() => problem),
    gatewayStartedAt: whenUp(({ link: { hello, connectedAt } }) =>
      hello.snapshot?.uptimeMs === undefined ? undefined : Math.round(connectedAt - hello.snapshot.uptimeMs)
    ),
    connection: whenUp(connectionOf),
    latestConnection: Effect.sync(() => latest),
    retryAt: Effect.sync(() => retryAt),
    linkChanges: PubSub.subscribe(linkChanges)
  } satisfies GatewayClientShape
})

/** The server's own connection to the gateway: one socket, the console's device identity, reconnecting. */
export class GatewayClient extends Context.Service<GatewayClient, GatewayClientShape>()(
  "agent-console/services/gateway/client/GatewayClient"
) {
  /** Connects in the background: building it never waits for the gateway. Without a token it does not connect. */
  static readonly layer = Layer.effect(GatewayClient, makeGatewayClient(openWebSocket))
}
