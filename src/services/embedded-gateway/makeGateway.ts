import { randomBytes, randomUUID } from "node:crypto"
import { Clock, Effect, FiberSet, Queue } from "effect"
import { AuthFailures } from "./access/AuthFailures.ts"
import { type DevicePolicy, DeviceTable } from "./access/DeviceTable.ts"
import { ChatRuns } from "./chat/ChatRuns.ts"
import { ExecApprovals } from "./chat/ExecApprovals.ts"
import { newTurnEvents } from "./chat/newTurnEvents.ts"
import { oldTurnEvents } from "./chat/oldTurnEvents.ts"
import { CronJobs, runSchedule } from "./cron/CronJobs.ts"
import { seedGateway } from "./demo/seedGateway.ts"
import type { DemoAgent } from "./demo/steps.ts"
import type { Gateway } from "./Gateway.ts"
import { healthPayload } from "./methods/systemMethods.ts"
import { ConnectionHub } from "./server/ConnectionHub.ts"
import { SessionEvents } from "./sessions/SessionEvents.ts"
import { SessionStore } from "./sessions/SessionStore.ts"
import { type Generation, HEALTH_INTERVAL_MS, PING_INTERVAL_MS, TICK_INTERVAL_MS } from "./wire/generations.ts"

const newToken = () => randomBytes(32).toString("base64url")

/** What a gateway is made from. */
export interface GatewayOptions {
  readonly generation: Generation
  readonly token: string
  readonly devicePolicy: DevicePolicy
  readonly tokenMs: number
  readonly agent: DemoAgent
  readonly seed: boolean
  readonly allowedTools: ReadonlyArray<string>
}

const every = (ms: number, task: () => void) =>
  Effect.sleep(ms).pipe(Effect.andThen(Effect.sync(task)), Effect.forever, Effect.forkScoped)

/** Puts one gateway together: its state, its runs, its schedule and its heartbeat. Everything ends with the scope. */
export const makeGateway = Effect.fnUntraced(function* (options: GatewayOptions) {
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const fork = yield* FiberSet.makeRuntime<never, void, never>()
  const { generation } = options
  const hub = new ConnectionHub(generation)
  const store = new SessionStore({ now, newId: randomUUID })
  const sessions = new SessionEvents({ hub, store, generation, now })
  const events = generation === "old" ? oldTurnEvents(hub, sessions, now) : newTurnEvents(hub, sessions, now)
  const approvals = new ExecApprovals({ hub, now, newId: randomUUID })
  const runs = new ChatRuns({
    approvals,
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
  const cron = new CronJobs({ generation, now, newId: randomUUID, hub, store, runs, fork, changed })
  const gateway: Gateway = {
    generation,
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
    cron,
    devices: new DeviceTable(options.devicePolicy),
    failures: new AuthFailures(),
    allowedTools: new Set(options.allowedTools)
  }
  if (options.seed) seedGateway(gateway)
  yield* Effect.forkScoped(runSchedule(cron, changed, now))
  yield* every(TICK_INTERVAL_MS, () => hub.emit({ event: "tick", payload: { ts: now() } }, () => true))
  yield* every(HEALTH_INTERVAL_MS, () =>
    hub.emitToReaders({
      event: "health",
      payload: healthPayload(gateway),
      stateVersion: { presence: 1, health: 1 }
    })
  )
  if (generation === "new")
    yield* every(PING_INTERVAL_MS, () => {
      for (const connection of hub.connections) if (!hub.silent) connection.socket.ping()
    })
  return gateway
})
