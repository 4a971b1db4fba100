import { setTimeout as sleep } from "node:timers/promises"
import { startGateway } from "../../test/e2e/support/startGateway.ts"
import { startPushDouble } from "../../test/support/pushDouble.ts"
import { send } from "../support/processes.ts"
import { startServer } from "../support/ServerProcess.ts"

const ROUNDS = 200
const DEVICES = 10
const WARM_UP = 20
/** Until an approval that the console wasn't connected for is announced again. */
const AGAIN_MS = 250
const DAY_MS = 24 * 60 * 60 * 1000

/** Epoch milliseconds, finer than the system's clock tells them. */
const now = () => performance.timeOrigin + performance.now()

const share = (sorted: ReadonlyArray<number>, part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0

const told = (name: string, milliseconds: ReadonlyArray<number>): void => {
  const sorted = milliseconds.toSorted((left, right) => left - right)
  console.log(`${name}: median ${share(sorted, 0.5).toFixed(1)} ms, p99 ${share(sorted, 0.99).toFixed(1)} ms`)
}

/** From an approval that the gateway announces to the push service having read it: for one device, and for the last of ten. */
export const measurePush = async (): Promise<void> => {
  const gateway = await startGateway()
  const double = await startPushDouble(now)
  const server = await startServer("console", { ...gateway.env, PUSH_ALLOWED_ORIGINS: double.origin })
  const subscribe = async (name: string): Promise<void> => {
    const body = JSON.stringify(double.subscribe(name))
    const status = await send(server.port, "/api/push/subscriptions", { method: "POST", body })
    if (status !== 201) throw new Error(`subscribing returned ${status}`)
  }

  const announce = async (id: string): Promise<number> => {
    const at = now()
    const request = { command: "true", sessionKey: "agent:main:main", agentId: "main" }
    const asked = { id, request, createdAtMs: Math.floor(at), expiresAtMs: Math.floor(at) + DAY_MS }
    await gateway.run(({ emit }) => emit("exec.approval.requested", asked))
    return at
  }

  let announced = 0
  const measure = async (devices: number, rounds: number): Promise<ReadonlyArray<number>> => {
    const times: Array<number> = []
    for (let round = 0; round < rounds; round++) {
      const before = double.received.length
      const at = await announce(`bench-${announced++}`)
      const received = await double.count(before + devices)
      times.push((received.at(-1)?.at ?? 0) - at)
    }
    return times
  }

  await subscribe("device-1")
  while (double.received.length === 0) {
    await announce(`bench-${announced++}`)
    await sleep(AGAIN_MS)
  }
  await measure(1, WARM_UP)
  told("gateway's approval to push service, 1 device", await measure(1, ROUNDS))
  for (let index = 2; index <= DEVICES; index++) {
    await subscribe(`device-${index}`)
  }
  told(`the same, last of ${DEVICES} devices`, await measure(DEVICES, ROUNDS))
  if (double.faults.length > 0) throw new Error(double.faults[0])
  await server.stop()
  await double.stop()
  await gateway.stop()
}
