import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { Effect, Redacted } from "effect"
import { practiceGateway } from "../practice-gateway/older/practiceGateway.ts"
import { EmbeddedGateway, type EmbeddedGatewayShape } from "../practice-gateway/src/EmbeddedGateway.ts"
import { type Link, newDevice, openLink } from "../test/support/gatewayLink.ts"
import { median, type Subject, send, startConsole } from "./support/processes.ts"

const MESSAGES = 1000
const SESSIONS = 50
/** Messages of each way in turns, so that the machine's moods meet both. */
const TURN = 100
/** Between two messages, so that each is measured by itself. */
const PAUSE_MS = 5

const inSession = (way: string, index: number) => `agent:main:${way}-${index % SESSIONS}`

/** Hears which runs have begun at the gateway. */
const beginnings = ({ socket }: Link) => {
  const waiting = new Map<string, () => void>()
  socket.on("message", (data) => {
    const text = data.toString()
    if (!text.includes('"lifecycle"')) return
    const [, runId = ""] = /"runId":"([^"]+)"/.exec(text) ?? []
    waiting.get(runId)?.()
    waiting.delete(runId)
  })
  return (runId: string) => new Promise<void>((resolve) => waiting.set(runId, resolve))
}

const byOutbox = async (subject: Subject, id: string, index: number): Promise<void> => {
  const headers = {
    "content-type": "application/json",
    // So many requests come from many clients.
    "x-forwarded-for": `10.201.${index >> 4}.${(index & 15) + 1}`
  }
  const body = JSON.stringify({ id, sessionKey: inSession("outbox", index), text: `message ${index}`, mode: "next" })
  const status = await send(subject.port, "/api/outbox", { method: "POST", headers, body })
  if (status !== 201) throw new Error(`a message was answered with ${status}`)
}

const direct = (link: Link, id: string, index: number): void =>
  link.socket.send(
    JSON.stringify({
      type: "req",
      id,
      method: "chat.send",
      params: { sessionKey: inSession("direct", index), message: `message ${index}`, idempotencyKey: id }
    })
  )

const told = (name: string, times: ReadonlyArray<number>): number => {
  const sorted = times.toSorted((a, b) => a - b)
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0
  console.log(`${name}: median ${median(sorted).toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`)
  return median(sorted)
}

const measure = async (gateway: EmbeddedGatewayShape, link: Link): Promise<void> => {
  const token = Redacted.value(gateway.token)
  const subject = await startConsole({ inspect: false, variables: { GATEWAY_URL: gateway.url, GATEWAY_TOKEN: token } })
  while ((await Effect.runPromise(gateway.control.connectionCount)) < 2) await sleep(20)
  await sleep(1000)
  const begun = beginnings(link)
  const times: Readonly<Record<"outbox" | "direct", Array<number>>> = { outbox: [], direct: [] }
  for (let index = 0; index < MESSAGES * 2; index += 1) {
    const way = Math.floor(index / TURN) % 2 === 0 ? "outbox" : "direct"
    const number = times[way].length
    const id = randomUUID()
    const beginning = begun(id)
    const sentAt = performance.now()
    if (way === "outbox") await byOutbox(subject, id, number)
    else direct(link, id, number)
    await beginning
    times[way].push(performance.now() - sentAt)
    await sleep(PAUSE_MS)
  }
  const through = told(`${MESSAGES} messages over ${SESSIONS} sessions, by the outbox`, times.outbox)
  const without = told("the same on a connection to the gateway", times.direct)
  console.log(`difference of the medians: ${(through - without).toFixed(2)} ms`)
  subject.stop()
}

/** How long a message takes until the gateway works on it: kept by the console first, and sent to the gateway directly. */
export const run = (): Promise<void> =>
  Effect.gen(function* () {
    const gateway = yield* EmbeddedGateway
    const link = yield* openLink(gateway.wsUrl)
    yield* link.connect({ token: Redacted.value(gateway.token), device: newDevice() })
    yield* Effect.promise(() => measure(gateway, link))
  }).pipe(Effect.scoped, Effect.provide(practiceGateway({ seed: false, record: false, tokenMs: 0 })), Effect.runPromise)
