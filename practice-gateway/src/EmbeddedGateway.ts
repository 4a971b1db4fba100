import { randomBytes, randomUUID } from "node:crypto"
import { setTimeout as delay } from "node:timers/promises"
import { Context, Effect, Exit, FiberSet, Layer, Redacted, Ref, Scope } from "effect"
import type { DevicePolicy } from "./access/DeviceTable.ts"
import { upgradeFacts } from "./access/upgradeFacts.ts"
import { replyTo } from "./demo/replyTo.ts"
import type { DemoAgent } from "./demo/steps.ts"
import type { Gateway } from "./Gateway.ts"
import { type ControlState, type GatewayControl, makeControl, type SeenRequest } from "./GatewayControl.ts"
import { makeGateway, type SpokenGeneration } from "./makeGateway.ts"
import { newerGeneration } from "./newerGeneration.ts"
import type { Connection } from "./server/Connection.ts"
import { answerHttp, FORWARDED_ANSWER } from "./server/httpAnswers.ts"
import { type ListenOptions, listen } from "./server/listen.ts"
import type { PlainRequest } from "./server/plainAnswer.ts"
import { challengeFrame, receive, sendPresence } from "./server/protocol.ts"
import { MAX_HANDSHAKE_FRAME } from "./wire/limits.ts"

/** Options of an embedded gateway; every field has a default. */
export interface EmbeddedGatewayOptions {
  /** Which generation of the gateway it imitates; default the newer one. */
  readonly generation?: SpokenGeneration
  /** Shared token; default random. */
  readonly token?: string
  /** How unknown devices are treated; default `auto`, paired silently. */
  readonly deviceApproval?: DevicePolicy
  /** Loopback port; by default a free one. */
  readonly port?: number
  /** Milliseconds between two streamed tokens; default 25, and 0 streams as fast as possible. */
  readonly tokenMs?: number
  /** What its agent does with a message; default the tour. */
  readonly agent?: DemoAgent
  /** Whether it starts with a welcome and example sessions; default true. */
  readonly seed?: boolean
  /** Whether agents wait for an answer and for permission from the start; default false. */
  readonly asks?: boolean
  /** Tools of `POST /tools/invoke` allowed beyond the usual ones. */
  readonly allowedTools?: ReadonlyArray<string>
  /** The folder it reports as its own; by default one that doesn't exist. */
  readonly home?: string
  /** Agents besides the default one. */
  readonly agents?: ReadonlyArray<{ readonly id: string; readonly name: string }>
  /** Whether `control.requests` and `control.frames` keep what arrives; default true. */
  readonly record?: boolean
}

export interface EmbeddedGatewayShape {
  readonly port: number
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  /** `ws://127.0.0.1:<port>` */
  readonly wsUrl: string
  readonly token: Redacted.Redacted<string>
  readonly control: GatewayControl
}

const DEFAULT_TOKEN_MS = 25
const MAX_RECORDED = 1_000

const keep = <A>(list: Array<A>, item: A) => {
  list.push(item)
  if (list.length > MAX_RECORDED) list.shift()
}

const seen = (kind: SeenRequest["kind"], { method, url, headers }: PlainRequest): SeenRequest => ({
  kind,
  method,
  url,
  headers
})

/** Connects the listener's callbacks to the gateway; fibers belong to the scope of `run`. */
const handlers = (
  gateway: Gateway,
  state: ControlState,
  record: boolean,
  run: Gateway["fork"]
): Omit<ListenOptions, "port"> => {
  const starting = () => gateway.now() < state.startingUntil
  return {
    onRequest: (request, answer) => {
      if (record) keep(state.requests, seen("http", request))
      if (state.answering) answer(answerHttp(gateway, request, starting()))
    },
    onUpgrade: (request) => {
      if (record) keep(state.requests, seen("upgrade", request))
      return gateway.generation.hasFullHttp && upgradeFacts(request.headers).forwarded ? FORWARDED_ANSWER : undefined
    },
    onSocket: (request, socket) => {
      const connection: Connection = {
        id: randomUUID(),
        socket,
        nonce: randomUUID(),
        upgrade: upgradeFacts(request.headers),
        session: undefined,
        closing: false,
        seq: 0,
        subscribed: false,
        messageKeys: new Set()
      }
      gateway.hub.connections.add(connection)
      gateway.hub.send(connection, challengeFrame(gateway, connection))
      const patience = run(
        Effect.sleep(gateway.generation.connectTimeoutMs).pipe(
          Effect.andThen(
            Effect.sync(() => {
              if (connection.session === undefined) gateway.hub.close(connection, 1000, "")
            })
          )
        )
      )
      return {
        onText: (text) => {
          if (record && text.length <= MAX_HANDSHAKE_FRAME) keep(state.frames, { connectionId: connection.id, text })
          run(Effect.suspend(() => receive(gateway, connection, text, { starting: starting() })))
        },
        onClose: () => {
          gateway.hub.connections.delete(connection)
          connection.closing = true
          patience.interruptUnsafe()
          if (connection.session !== undefined) sendPresence(gateway, undefined)
        }
      }
    }
  }
}

/**
 * A real gateway needs longer than this to start. Clients tell two processes apart by when they started, and the runs of
 * one from those of the other by when they began.
 */
const STARTING_MS = 2_100
const PAUSE_MS = 300

const shutDown = (gateway: Gateway) =>
  Effect.sync(() => {
    gateway.runs.stopAll()
    gateway.hub.emit({ event: "shutdown", payload: { reason: "gateway stopping" } }, () => true)
    gateway.hub.closeAll(1012, "service restart")
  })

const make = Effect.fnUntraced(function* (options: EmbeddedGatewayOptions) {
  const generation = options.generation ?? newerGeneration
  const token = options.token ?? randomBytes(24).toString("hex")
  const gateway = yield* makeGateway({
    generation,
    token,
    devicePolicy: options.deviceApproval ?? "auto",
    tokenMs: options.tokenMs ?? DEFAULT_TOKEN_MS,
    agent: options.agent ?? replyTo,
    seed: options.seed ?? true,
    asks: options.asks ?? false,
    allowedTools: options.allowedTools ?? [],
    home: options.home ?? "/nonexistent/practice-gateway",
    agents: options.agents ?? []
  })
  const state: ControlState = { startingUntil: 0, answering: true, requests: [], frames: [] }
  const parent = yield* Effect.scope
  const open = yield* Ref.make<{ readonly scope: Scope.Closeable; readonly port: number } | undefined>(undefined)

  const startOn = Effect.fnUntraced(function* (port: number) {
    const scope = yield* Scope.fork(parent)
    const bound = yield* Effect.gen(function* () {
      const run = yield* FiberSet.makeRuntime<never, void, never>()
      yield* Effect.addFinalizer(() => shutDown(gateway))
      return yield* listen({ ...handlers(gateway, state, options.record ?? true, run), port })
    }).pipe(
      Scope.provide(scope),
      Effect.onError(() => Scope.close(scope, Exit.void))
    )
    yield* Ref.set(open, { scope, port: bound })
    return bound
  })

  const port = yield* startOn(options.port ?? 0)
  let stoppedAt = 0
  const stop = Effect.uninterruptible(
    Effect.gen(function* () {
      const current = yield* Ref.getAndSet(open, undefined)
      if (current === undefined) return
      yield* Scope.close(current.scope, Exit.void)
      stoppedAt = gateway.now()
    })
  )
  const start = Effect.gen(function* () {
    if ((yield* Ref.get(open)) !== undefined) return
    // Real time: tests whose own clock stands still start gateways, too.
    yield* Effect.promise(() =>
      delay(Math.max(0, stoppedAt + PAUSE_MS - gateway.now(), gateway.startedAt + STARTING_MS - gateway.now()))
    )
    gateway.startedAt = gateway.now()
    yield* startOn(port)
  })
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    token: Redacted.make(token),
    control: makeControl(gateway, state, { start, stop })
  } satisfies EmbeddedGatewayShape
})

/**
 * A small gateway of the console's own, on a loopback port: it speaks the wire protocol, and a
 * scripted agent answers. It serves the demonstration and the tests, keeps everything in memory and starts only
 * where a layer of it is built.
 */
export class EmbeddedGateway extends Context.Service<EmbeddedGateway, EmbeddedGatewayShape>()(
  "agent-console/practice-gateway/EmbeddedGateway"
) {
  /**
   * A gateway with these options, stopped when the layer's scope closes. Reuse the layer to share it: each call creates
   * another gateway.
   */
  static readonly layer = (options: EmbeddedGatewayOptions = {}) => Layer.effect(EmbeddedGateway, make(options))
}
