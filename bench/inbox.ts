import { get } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { Effect, Redacted } from "effect"
import { practiceGateway } from "../practice-gateway/older/practiceGateway.ts"
import { EmbeddedGateway, type EmbeddedGatewayShape } from "../practice-gateway/src/EmbeddedGateway.ts"
import { measurePush } from "./inbox/pushLatency.ts"
import { median, processorTime, type Subject, startConsole } from "./support/processes.ts"

const APPROVALS = 1000
/** Between two approvals, so that each is measured by itself. */
const PAUSE_MS = 5
const EVENTS = 10_000
const MINUTE_MS = 60_000
const STEP_MS = 50
const IDLE_MS = 15_000

const epochMs = () => Math.round(performance.timeOrigin + performance.now())

type Emit = (event: string, payload: Readonly<Record<string, unknown>>) => Promise<void>

/** Hands on every line of the console's event stream. */
const listen = (port: number, onText: (text: string) => void): Promise<() => void> =>
  new Promise((resolve) => {
    const request = get({ host: "127.0.0.1", port, path: "/api/events" }, (response) => {
      response.setEncoding("utf8")
      response.on("data", onText)
      resolve(() => request.destroy())
    })
  })

const approval = (index: number) => {
  const now = epochMs()
  const request = { command: `rm old-${index}.txt`, sessionKey: "agent:main:bench", cwd: "/work", host: "gateway" }
  return { id: `bench-${index}`, request, createdAtMs: now, expiresAtMs: now + 1_800_000 }
}

/** From the gateway's event to the console's own, on a stream that is open. */
const delays = async (subject: Subject, emit: Emit): Promise<ReadonlyArray<number>> => {
  const waiting = new Map<string, () => void>()
  const stop = await listen(subject.port, (text) => {
    for (const [, id = ""] of text.matchAll(/"title":"rm old-(\d+)\.txt"/g)) waiting.get(id)?.()
  })
  const times: Array<number> = []
  for (let index = 0; index < APPROVALS; index += 1) {
    const told = new Promise<void>((resolve) => waiting.set(String(index), resolve))
    const sentAt = performance.now()
    await emit("exec.approval.requested", approval(index))
    await told
    times.push(performance.now() - sentAt)
    await sleep(PAUSE_MS)
  }
  stop()
  return times.sort((a, b) => a - b)
}

/** What a busy gateway tells: mostly messages and changes of sessions. */
const frame = (index: number): readonly [string, Readonly<Record<string, unknown>>] => {
  const sessionKey = `agent:main:bench-${index % 50}`
  const ts = epochMs()
  if (index % 2 === 0) return ["sessions.changed", { sessionKey, phase: "message", ts, session: { key: sessionKey } }]
  const text = "A response of a usual length, which says what was found and what comes next. ".repeat(10)
  const usage = { input: 1000, output: 200, cacheRead: 0, cacheWrite: 0, totalTokens: 1200, cost: { total: 0.01 } }
  const message = { role: "assistant", content: [{ type: "text", text }], stopReason: "stop", timestamp: ts, usage }
  return ["session.message", { sessionKey, message, messageId: `bench-${index}`, messageSeq: index }]
}

const busyMinute = async (subject: Subject, emit: Emit): Promise<number> => {
  const before = processorTime(subject.pid) / 1000
  const startedAt = performance.now()
  let sent = 0
  while (sent < EVENTS) {
    const due = Math.min(EVENTS, Math.floor(((performance.now() - startedAt) / MINUTE_MS) * EVENTS))
    for (; sent < due; sent += 1) await emit(...frame(sent))
    await sleep(STEP_MS)
  }
  return processorTime(subject.pid) / 1000 - before
}

const idleMinute = async (subject: Subject): Promise<number> => {
  const before = processorTime(subject.pid) / 1000
  await sleep(IDLE_MS)
  return ((processorTime(subject.pid) / 1000 - before) * MINUTE_MS) / IDLE_MS
}

const measure = async ({ control, token, url }: EmbeddedGatewayShape): Promise<void> => {
  const variables = { GATEWAY_URL: url, GATEWAY_TOKEN: Redacted.value(token) }
  const subject = await startConsole({ inspect: false, variables })
  const emit: Emit = (event, payload) => Effect.runPromise(control.emit(event, payload))
  while ((await Effect.runPromise(control.connectionCount)) === 0) await sleep(20)
  await sleep(1000)

  const times = await delays(subject, emit)
  const p99 = times[Math.floor(times.length * 0.99)] ?? 0
  console.log(
    `gateway event to inbox.changed, ${APPROVALS} approvals: median ${median(times).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
  )
  const idle = await idleMinute(subject)
  const busy = await busyMinute(subject, emit)
  const share = ((busy - idle) / MINUTE_MS) * 100
  console.log(
    `${EVENTS} gateway events in a minute: ${Math.round(busy)} ms of CPU time, idle ${Math.round(idle)} ms = ${share.toFixed(1)} % of one core more`
  )
  subject.stop()
}

/**
 * How soon the inbox tells what the gateway asks, what following a busy gateway costs, and how soon a push service has
 * the notification.
 */
export const run = async (): Promise<void> => {
  await Effect.runPromise(
    Effect.flatMap(EmbeddedGateway, (gateway) => Effect.promise(() => measure(gateway))).pipe(
      Effect.provide(practiceGateway({ seed: false, record: false }))
    )
  )
  await measurePush()
}
