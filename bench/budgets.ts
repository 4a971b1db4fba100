import "../test/support/sourceDefines.mjs"
import { setTimeout as sleep } from "node:timers/promises"
import { Context, Effect, Layer, Logger, PubSub, Redacted, Schema } from "effect"
import { type GenerationName, practiceGateway } from "../practice-gateway/older/practiceGateway.ts"
import type { DemoAgent } from "../practice-gateway/src/demo/steps.ts"
import { EmbeddedGateway } from "../practice-gateway/src/EmbeddedGateway.ts"
import { GatewayClient } from "../src/services/gateway/client/GatewayClient.ts"
import { clientLayer, connected } from "../test/support/liveClient.ts"
import { processorTime, type Subject, send, startConsole } from "./support/processes.ts"

const BUDGETS = 200
const SESSIONS = 50
const MESSAGES = 6_000
/** A busy gateway: so many messages at once, and then a pause. */
const AT_ONCE = 20
const PAUSE_MS = 50
const ROUNDS = 100
const LIMIT = 3

const epochMs = () => Math.round(performance.timeOrigin + performance.now())

let requests = 0
const post = async ({ port }: Subject, path: string, body: object): Promise<void> => {
  requests += 1
  // So many requests come from many clients.
  const client = `10.202.${requests >> 6}.${(requests & 63) + 1}`
  const headers = { "content-type": "application/json", "x-forwarded-for": client }
  const status = await send(port, path, { method: "POST", headers, body: JSON.stringify(body) })
  if (status !== 201) throw new Error(`${path} was answered with ${status}`)
}

/** Four for each session, one each by day, week, month and in total: each message counts for four. */
const addBudgets = async (subject: Subject): Promise<void> => {
  const periods = ["day", "week", "month", "total"] as const
  for (let index = 0; index < BUDGETS; index += 1) {
    const sessionKey = `agent:main:bench-${Math.floor(index / periods.length)}`
    await post(subject, "/api/budgets", {
      scope: { kind: "session", sessionKey },
      period: periods[index % periods.length],
      limit: { usd: 1_000_000 }
    })
  }
}

const response = (index: number) => {
  const timestamp = epochMs()
  const usage = { input: 1000, output: 200, cacheRead: 0, cacheWrite: 0, totalTokens: 1200, cost: { total: 0.01 } }
  const content = [{ type: "text", text: "What was found, and what comes next. ".repeat(20) }]
  const message = { role: "assistant", content, stopReason: "stop", timestamp, usage }
  return { sessionKey: `agent:main:bench-${index % SESSIONS}`, message, messageId: `bench-${index}`, messageSeq: index }
}

/** What a response of an agent costs two consoles that hear the same: one with budgets and one without. */
const costs = Effect.gen(function* () {
  const { control, token, url } = yield* EmbeddedGateway
  const variables = { GATEWAY_URL: url, GATEWAY_TOKEN: Redacted.value(token) }
  yield* Effect.promise(async () => {
    const [budgeted, plain] = [
      await startConsole({ inspect: false, variables }),
      await startConsole({ inspect: false, variables })
    ]
    while ((await Effect.runPromise(control.connectionCount)) < 2) await sleep(20)
    await addBudgets(budgeted)
    await sleep(2_000)
    const used = () => [processorTime(budgeted.pid), processorTime(plain.pid)] as const
    const before = used()
    for (let index = 0; index < MESSAGES; index += 1) {
      await Effect.runPromise(control.emit("session.message", response(index)))
      if (index % AT_ONCE === 0) await sleep(PAUSE_MS)
    }
    await sleep(3_000)
    const after = used()
    const [most = 0, least = 0] = after.map((time, index) => (time - (before[index] ?? 0)) / MESSAGES)
    console.log(
      `${MESSAGES} responses in ${SESSIONS} sessions, processor time each: ${most.toFixed(0)} µs with ${BUDGETS} budgets, ${least.toFixed(0)} µs without`
    )
    budgeted.stop()
    plain.stop()
  })
}).pipe(Effect.provide(practiceGateway({ seed: false, record: false })))

const worker: DemoAgent = () =>
  Array.from({ length: 200 }, () => ({
    type: "tool",
    name: "exec",
    args: { command: "true" },
    meta: "work",
    result: "done",
    runMs: 0,
    work: Effect.as(Effect.sleep("150 millis"), "done")
  }))

const Spoken = Schema.Struct({
  sessionKey: Schema.String,
  message: Schema.Struct({ role: Schema.String, provider: Schema.optionalKey(Schema.String) })
})
const Ended = Schema.Struct({ sessionKey: Schema.String, state: Schema.Literal("aborted") })

/** From the frame of the response that uses a budget up to the end of its run, and how many responses came after it. */
const stops = (generation: GenerationName) =>
  Effect.gen(function* () {
    const { token, url } = yield* EmbeddedGateway
    const link = { url, token: Redacted.value(token) }
    const other = yield* Layer.build(clientLayer(link).pipe(Layer.provide(Logger.layer([]))))
    yield* Effect.provide(connected, other)
    const client = Context.get(other, GatewayClient)
    const frames = yield* client.events
    const subject = yield* Effect.promise(() =>
      startConsole({ inspect: false, variables: { GATEWAY_URL: url, GATEWAY_TOKEN: link.token } })
    )
    yield* Effect.sleep("3 seconds")
    const times: Array<number> = []
    let most = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const sessionKey = `agent:main:round-${round}`
      const scope = { kind: "session", sessionKey }
      yield* Effect.promise(() => post(subject, "/api/budgets", { scope, period: "total", limit: { turns: LIMIT } }))
      const said = { sessionKey, message: "work", idempotencyKey: sessionKey }
      yield* client.request("chat.send", said, Schema.Unknown)
      let responses = 0
      let crossedAt = 0
      for (let isOver = false; !isOver; ) {
        const { event, payload } = yield* PubSub.take(frames)
        const isMine = (own: { readonly sessionKey: string }) => own.sessionKey === sessionKey
        if (event === "session.message" && Schema.is(Spoken)(payload) && isMine(payload)) {
          const { provider, role } = payload.message
          if (role === "assistant" && provider !== "openclaw") responses += 1
          if (responses === LIMIT && crossedAt === 0) crossedAt = performance.now()
        }
        isOver = event === "chat" && Schema.is(Ended)(payload) && isMine(payload)
      }
      times.push(performance.now() - crossedAt)
      most = Math.max(most, responses - LIMIT)
    }
    subject.stop()
    times.sort((a, b) => a - b)
    const at = (part: number) => (times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0).toFixed(0)
    console.log(
      `${generation} generation, from the frame that crosses the limit to the stopped run, ${ROUNDS} times: median ${at(0.5)} ms, p99 ${at(0.99)} ms; at most ${most} responses more`
    )
  }).pipe(
    Effect.scoped,
    Effect.provide(practiceGateway({ seed: false, record: false, tokenMs: 0, agent: worker, generation }))
  )

/** What counting costs with many budgets, and how soon a used up one stops its work. */
export const run = (): Promise<void> =>
  Effect.runPromise(
    Effect.gen(function* () {
      yield* costs
      yield* stops("new")
      yield* stops("old")
    })
  )
