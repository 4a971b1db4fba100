import { NodeServices } from "@effect/platform-node"
import { Context, Effect, Exit, Fiber, Layer, Logger, Redacted, Schedule, Scope } from "effect"
import { practiceGateway } from "../../../practice-gateway/older/practiceGateway.ts"
import { EmbeddedGateway } from "../../../practice-gateway/src/EmbeddedGateway.ts"
import { OUTBOX_MODES } from "../../../src/contract/outbox.ts"
import type { OutboxItem } from "../../../src/contract/schema/outbox.ts"
import { SqliteLive } from "../../../src/layers/Sqlite.ts"
import { GatewayClient } from "../../../src/services/gateway/client/GatewayClient.ts"
import { DeviceIdentity } from "../../../src/services/gateway/device/DeviceIdentity.ts"
import { generateDeviceKey } from "../../../src/services/gateway/device/deviceKey.ts"
import { GatewayFeed } from "../../../src/services/gateway/feed/GatewayFeed.ts"
import { EveryGateway } from "../../../src/services/gateway/registry/EveryGateway.ts"
import { Outbox } from "../../../src/services/outbox/Outbox.ts"
import { EventBus } from "../../../src/services/platform/events/EventBus.ts"
import { ServerReady, ServerReadyLive } from "../../../src/services/platform/ServerReady.ts"
import { Settings } from "../../../src/services/platform/settings/Settings.ts"
import { temporaryFolder } from "../../support/fileServices.ts"
import { randomFrom } from "../../support/killedProcess.ts"
import { clientLayer, connected } from "../../support/liveClient.ts"
import { testSettings } from "../../support/testSettings.ts"
import { writtenIn } from "../../support/writtenIn.ts"
import { type Known, OutboxModel } from "./outboxModel.ts"

const SESSIONS = ["agent:main:w0", "agent:main:w1"]
const STEPS = 40
const AT_WORK = Schedule.spaced("30 millis")

/** How a walk ended. */
export interface WalkEnd {
  readonly problems: ReadonlyArray<string>
  readonly steps: ReadonlyArray<string>
  readonly taken: number
  readonly unsure: number
  readonly failed: number
}

/**
 * Any sequence of what people, consoles and gateways do, over a real socket and the same database; at the end, what
 * stands in the conversations is compared with what the outbox has promised. The same seed takes the same steps.
 */
export const walkOutbox = Effect.fnUntraced(function* (generation: "old" | "new", seed: number) {
  let random = randomFrom(seed)
  const pick = <A>(list: ReadonlyArray<A>): A | undefined => list[random(list.length)]
  const model = new OutboxModel()
  const steps: Array<string> = []
  const unsure = new Set<string>()
  const failed = new Set<string>()
  const svcHome = yield* temporaryFolder
  const gateway = yield* Effect.provide(
    EmbeddedGateway,
    yield* Layer.build(practiceGateway({ generation, tokenMs: 2, seed: false, record: true }))
  )
  const { control } = gateway
  const Silent = Logger.layer([])
  const link = { url: gateway.url, token: Redacted.value(gateway.token) }
  const other = yield* Layer.build(clientLayer(link).pipe(Layer.provide(Silent)))
  yield* Effect.provide(connected, other)
  const client = Context.get(other, GatewayClient)

  const Console = Outbox.layer.pipe(
    Layer.provide(EveryGateway.primaryOnly),
    Layer.provide(GatewayFeed.layer),
    Layer.provide(GatewayClient.layer),
    Layer.provide(Layer.succeed(DeviceIdentity, DeviceIdentity.fromKey(generateDeviceKey()))),
    Layer.provide(Layer.mergeAll(SqliteLive, EventBus.layer)),
    Layer.provideMerge(ServerReadyLive),
    Layer.provide(Settings.layerOf(testSettings({ svcHome, gatewayUrl: gateway.url, gatewayToken: gateway.token }))),
    Layer.provide(NodeServices.layer),
    Layer.provide(Silent)
  )
  const open = Effect.gen(function* () {
    const scope = yield* Scope.make()
    const context = yield* Layer.buildWithScope(Layer.fresh(Console), scope)
    // As in production, nothing is heard of a gateway before everything that follows it is there.
    yield* Context.get(context, ServerReady).open
    return { scope, outbox: Context.get(context, Outbox) }
  })
  let console = yield* open
  yield* Effect.addFinalizer(() => Effect.suspend(() => Scope.close(console.scope, Exit.void)))
  let isGatewayUp = true

  const crash = Effect.gen(function* () {
    yield* Scope.close(console.scope, Exit.void)
    console = yield* open
  })
  /** Asks the outbox something, which may be killed in the middle of it. */
  const ask = Effect.fnUntraced(function* <A, E>(
    name: string,
    effect: (outbox: Outbox["Service"]) => Effect.Effect<A, E>
  ) {
    const dies = random(6) === 0
    const after = random(4)
    const fiber = yield* Effect.forkChild(Effect.exit(effect(console.outbox)))
    if (dies) {
      if (after > 0) yield* Effect.sleep(after - 1)
      yield* crash
    }
    const exit = yield* Fiber.join(fiber)
    steps.push(`${name}${dies ? ", killed meanwhile" : ""}: ${exit._tag}`)
    const isUnknown = Exit.isFailure(exit) && (dies || Exit.hasDies(exit))
    return { answer: Exit.isSuccess(exit) ? exit.value : undefined, isUnknown }
  })
  const listed = (sessionKey: string) => console.outbox.list({ gatewayId: "primary", sessionKey })
  const written = (sessionKey: string) => writtenIn(client, sessionKey).pipe(Effect.retry(AT_WORK))

  const send = Effect.fnUntraced(function* (known: Known, text = known.texts[0] ?? "") {
    const { id, mode, notBefore, sessionKey } = known
    const message = { id, sessionKey, text, mode, ...(notBefore === undefined ? {} : { notBefore }) }
    const { answer } = yield* ask(`send ${known.number} ${mode} to ${sessionKey}`, (outbox) => outbox.add(message))
    if (answer !== undefined && known.taken === "maybe") model.add(known)
  })
  const change = Effect.fnUntraced(function* (known: Known) {
    known.version += 1
    const text = `message ${known.number}.${known.version}`
    const { answer, isUnknown } = yield* ask(`change ${known.number}`, (outbox) => outbox.change(known.id, { text }))
    if (answer !== undefined) known.texts = [text]
    if (isUnknown) known.texts = [...known.texts, text]
  })
  const plan = Effect.fnUntraced(function* (known: Known) {
    const mode = pick(OUTBOX_MODES) ?? "next"
    const notBefore = random(2) === 0 ? null : Date.now() + random(300)
    const { answer, isUnknown } = yield* ask(`make ${known.number} ${mode}`, (outbox) =>
      outbox.change(known.id, { mode, notBefore })
    )
    if (answer !== undefined || isUnknown) model.free(known)
  })
  const move = Effect.fnUntraced(function* (known: Known) {
    const position = random(6)
    const { answer, isUnknown } = yield* ask(`move ${known.number} to ${position}`, (outbox) =>
      Effect.flatMap(outbox.change(known.id, { position }), () =>
        outbox.list({ gatewayId: "primary", sessionKey: known.sessionKey })
      )
    )
    if (answer !== undefined) model.moved(known, answer)
    if (isUnknown) model.free(known)
  })
  const takeBack = Effect.fnUntraced(function* (known: Known) {
    const state = (yield* listed(known.sessionKey)).find(({ id }) => id === known.id)?.state
    const { answer, isUnknown } = yield* ask(`take back ${known.number}`, (outbox) =>
      Effect.as(outbox.remove(known.id), true)
    )
    if (answer === true) known.gone = state === "unsure" ? "maybe" : "yes"
    if (isUnknown && known.gone === "no") known.gone = "maybe"
  })

  /** Decides as a person would who looks at the conversation. */
  const decide = Effect.fnUntraced(function* ({ error, id, sessionKey, state }: OutboxItem) {
    const known = model.find(id)
    if (known === undefined) return
    if (state === "failed") {
      failed.add(id)
      model.free(known)
    } else unsure.add(id)
    steps.push(`${state} ${known.number}: ${error ?? ""}`)
    const isThere = (yield* written(sessionKey)).some((text) => text.startsWith(`message ${known.number}.`))
    if (isThere && state === "failed") known.texts = ["said to have failed, but there"]
    const action = isThere ? "sent" : "again"
    const { isUnknown } = yield* ask(`${action} ${known.number}`, (outbox) => outbox.resolve(id, { action }))
    if (isUnknown && action === "sent" && known.gone === "no") known.gone = "maybe"
  })
  /** A conversation that appears finished to a person. */
  const calm = (sessionKey: string) =>
    Effect.gen(function* () {
      const before = yield* written(sessionKey)
      yield* Effect.sleep(400)
      return before.length === (yield* written(sessionKey)).length
    }).pipe(Effect.repeat({ times: 20, until: (isCalm) => isCalm }))
  /** Everything that waits for a person, once the gateway has had time to write down what it has. */
  const decideAll = Effect.gen(function* () {
    if (!isGatewayUp) return
    for (const sessionKey of SESSIONS) {
      const waits = (yield* listed(sessionKey)).some(({ state }) => state === "failed" || state === "unsure")
      if (!waits) continue
      yield* calm(sessionKey)
      for (const item of yield* listed(sessionKey))
        if (item.state === "failed" || item.state === "unsure") yield* decide(item)
    }
  })

  const trouble = Effect.gen(function* () {
    const kind = pick(["drop", "restart", "stop", "start"])
    steps.push(`gateway: ${kind}`)
    if (kind === "drop") yield* control.dropConnections
    if (kind === "restart" && isGatewayUp) yield* control.restart
    if (kind === "stop" && isGatewayUp) {
      yield* control.stop
      isGatewayUp = false
    }
    if (kind === "start" && !isGatewayUp) {
      yield* control.start
      isGatewayUp = true
    }
  })

  for (let step = 0; step < STEPS; step += 1) {
    // What a step needs doesn't depend on how much chance those before it needed, which time decides.
    random = randomFrom(seed + step * 1_000_003)
    const old = pick(model.all)
    const kind = random(20)
    if (kind < 9 || old === undefined) {
      const sessionKey = pick(SESSIONS) ?? ""
      const mode = random(3) === 0 ? (pick(OUTBOX_MODES) ?? "next") : "next"
      const notBefore = random(6) === 0 ? Date.now() + random(300) : undefined
      yield* send(model.make(sessionKey, mode, notBefore, random(12) === 0 ? " please fail" : ""))
    } else if (kind === 9) yield* send(old, old.taken === "yes" ? "something else under the same id" : undefined)
    else if (kind === 10) yield* change(old)
    else if (kind === 11) yield* plan(old)
    else if (kind < 14) yield* move(old)
    else if (kind === 14) yield* takeBack(old)
    else if (kind === 15) {
      steps.push("killed")
      yield* crash
    } else if (kind < 18) yield* trouble
    else if (kind === 18) yield* decideAll
    yield* Effect.sleep(random(60))
  }

  if (!isGatewayUp) yield* control.start
  isGatewayUp = true
  // A client without a response retries.
  for (const known of model.all)
    if (known.taken === "maybe") yield* Effect.repeat(send(known), { until: () => known.taken === "yes" })
  steps.push("settling")
  yield* decideAll.pipe(
    Effect.andThen(Effect.suspend(() => console.outbox.list(undefined))),
    Effect.repeat({ schedule: AT_WORK, until: ({ length }) => length === 0 })
  )
  // What was handed over last may not be written down yet.
  const settled = Effect.gen(function* () {
    const problems: Array<string> = []
    for (const sessionKey of SESSIONS) problems.push(...model.problems(sessionKey, yield* written(sessionKey)))
    return problems
  })
  const problems = yield* settled.pipe(
    Effect.repeat({
      schedule: Schedule.spaced("200 millis").pipe(Schedule.upTo({ times: 30 })),
      until: ({ length }) => length === 0
    }),
    Effect.andThen(Effect.sleep(200)),
    Effect.andThen(settled)
  )
  if (problems.length > 0) for (const sessionKey of SESSIONS) steps.push(JSON.stringify(yield* written(sessionKey)))
  const end: WalkEnd = {
    problems,
    steps,
    taken: model.all.length,
    unsure: unsure.size,
    failed: failed.size
  }
  return end
}, Effect.scoped)
