import { randomBytes, randomUUID } from "node:crypto"
import { Clock, Effect, FiberSet, Queue } from "effect"
import { AuthFailures } from "./access/AuthFailures.ts"
import { type DevicePolicy, DeviceTable } from "./access/DeviceTable.ts"
import { AgentQuestions } from "./chat/AgentQuestions.ts"
import { makeChatRuns } from "./chat/ChatRuns.ts"
import { ExecApprovals } from "./chat/ExecApprovals.ts"
import type { TurnEvents } from "./chat/TurnEvents.ts"
import { CronJobs, runSchedule } from "./cron/CronJobs.ts"
import { seedGateway } from "./demo/seedGateway.ts"
import { seedWaiting } from "./demo/seedWaiting.ts"
import type { DemoAgent } from "./demo/steps.ts"
import type { Gateway, PracticeAgent } from "./Gateway.ts"
import type { Generation } from "./Generation.ts"
import { startingAgents } from "./methods/agentMethods.ts"
import { healthPayload } from "./methods/systemMethods.ts"
import { ConnectionHub } from "./server/ConnectionHub.ts"
import { WriteBudget } from "./server/WriteBudget.ts"
import { DEMO_MODELS, fullModelId } from "./sessions/models.ts"
import { SessionEvents } from "./sessions/SessionEvents.ts"
import { SessionStore } from "./sessions/SessionStore.ts"
import { HEALTH_INTERVAL_MS, PING_INTERVAL_MS, TICK_INTERVAL_MS } from "./wire/limits.ts"

const newToken = () => randomBytes(32).toString("base64url")

/** What the events of a turn are made from. */
export interface TurnEventParts extends Pick<Gateway, "fork" | "hub" | "now" | "sessions" | "store"> {}

/** A generation with its events of a turn. */
export interface SpokenGeneration extends Generation {
  readonly turnEvents: (parts: TurnEventParts) => TurnEvents
}

/** What a gateway is made from. */
export interface GatewayOptions {
  readonly generation: SpokenGeneration
  readonly token: string
  readonly devicePolicy: DevicePolicy
  readonly tokenMs: number
  readonly agent: DemoAgent
  readonly seed: boolean
  readonly asks: boolean
  readonly allowedTools: ReadonlyArray<string>
  readonly home: string
  readonly agents: ReadonlyArray<Pick<PracticeAgent, "id" | "name">>
}

const every = (ms: number, task: () => void) =>
  Effect.sleep(ms).pipe(Effect.andThen(Effect.sync(task)), Effect.forever, Effect.forkScoped)

/** Assembles one gateway: its state, runs, schedule and heartbeat. Everything ends with the scope. */
export const makeGateway = Effect.fnUntraced(function* (options: GatewayOptions) {
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const fork = yield* FiberSet.makeRuntime<never, void, never>()
  const { generation } = options
  const hub = new ConnectionHub(generation)
  const store = new SessionStore({ now, newId: randomUUID })
  const sessions = new SessionEvents({ hub, store, generation, now })
  const events = generation.turnEvents({ fork, hub, now, sessions, store })
  const approvals = new ExecApprovals({ generation, hub, now, newId: randomUUID })
  const questions = new AgentQuestions({ hub, now, newId: randomUUID })
  const runs = makeChatRuns({
    approvals,
    questions,
    generation,
    store,
    sessions,
    events,
    now,
    newId: randomUUID,
    tokenMs: options.tokenMs,
    agent: options.agent,
    fork
  })
  const changed = yield* Queue.sliding<void>(1)
  const cron = new CronJobs({ now, newId: randomUUID, hub, store, runs, fork, changed })
  const gateway: Gateway = {
    generation,
    home: options.home,
    agents: startingAgents(options.home, options.agents, options.seed),
    token: options.token,
    startedAt: now(),
    bootId: randomUUID(),
    now,
    newId: randomUUID,
    newToken,
    fork,
    hub,
    store,
    archive: new SessionStore({ now, newId: randomUUID }),
    sessions,
    runs,
    approvals,
    questions,
    cron,
    config: { value: { agents: { defaults: { model: { primary: fullModelId(DEMO_MODELS[0]) } } } }, revision: 0 },
    devices: new DeviceTable(options.devicePolicy, generation.wantsSameScopes),
    failures: new AuthFailures(),
    writes: new WriteBudget(),
    allowedTools: new Set(options.allowedTools)
  }
  if (options.seed) seedGateway(gateway)
  if (options.asks) seedWaiting(gateway)
  yield* Effect.forkScoped(runSchedule(cron, changed, now))
  yield* every(TICK_INTERVAL_MS, () => hub.emit({ event: "tick", payload: { ts: now() } }, () => true))
  yield* every(HEALTH_INTERVAL_MS, () =>
    hub.emitToReaders({ event: "health", payload: healthPayload(gateway), stateVersion: { presence: 1, health: 1 } })
  )
  if (generation.pings)
    yield* every(PING_INTERVAL_MS, () => {
      for (const connection of hub.connections) if (!hub.silent) connection.socket.ping()
    })
  return gateway
})
