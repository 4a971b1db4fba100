import { randomUUID } from "node:crypto"
import { assert, inject, it } from "@effect/vitest"
import { Effect, Schedule, Schema } from "effect"
import { openProxy, type Peer } from "../support/sockets.ts"
import { startConsole } from "./support/consoleProcess.ts"
import { describeOn } from "./support/describeOn.ts"

const Frame = Schema.Struct({
  type: Schema.String,
  id: Schema.optional(Schema.String),
  ok: Schema.optional(Schema.Boolean),
  event: Schema.optional(Schema.String),
  payload: Schema.optional(Schema.Unknown)
})
const decodeFrame = Schema.decodeUnknownEffect(Frame)

const Hello = Schema.Struct({ protocol: Schema.Finite, auth: Schema.Struct({ scopes: Schema.Array(Schema.String) }) })
const Health = Schema.Struct({ status: Schema.Literal("ok"), gateway: Schema.Literals(["ok", "unreachable"]) })
const ServerInfo = Schema.Struct({ gatewayStartedAt: Schema.NullOr(Schema.Finite) })
const Started = Schema.Struct({ runId: Schema.String, status: Schema.Literal("started") })
const Text = Schema.Union([Schema.String, Schema.Array(Schema.Struct({ text: Schema.optional(Schema.String) }))])
const Chat = Schema.Struct({
  runId: Schema.String,
  state: Schema.String,
  message: Schema.optional(Schema.Struct({ content: Text }))
})
const History = Schema.Struct({ messages: Schema.Array(Schema.Struct({ role: Schema.String, content: Text })) })

const textOf = (content: typeof Text.Type) =>
  typeof content === "string" ? content : content.map(({ text }) => text ?? "").join("")

/** Reads frames until one is wanted; those before it are dropped, as a page drops events it does not know. */
const frameWhere = Effect.fnUntraced(function* (peer: Peer, wanted: (frame: typeof Frame.Type) => boolean) {
  for (;;) {
    const frame = yield* decodeFrame(yield* peer.nextJson)
    if (wanted(frame)) return frame
  }
})

const call = Effect.fnUntraced(function* <A>(peer: Peer, method: string, params: object, payload: Schema.Decoder<A>) {
  const id = randomUUID()
  yield* peer.send({ type: "req", id, method, params })
  const answer = yield* frameWhere(peer, (frame) => frame.type === "res" && frame.id === id)
  assert.isTrue(answer.ok, `${method} was refused`)
  return yield* Schema.decodeUnknownEffect(payload)(answer.payload)
})

const getJson = <A>(url: string, body: Schema.Decoder<A>) =>
  Effect.tryPromise(() => fetch(url).then((answer) => answer.json())).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(body))
  )

/** What a page sends: who it is, and neither token nor device. */
const page = {
  minProtocol: 3,
  maxProtocol: 4,
  client: { id: "gateway-client", version: "1.0.0", platform: "web", mode: "ui" },
  role: "operator",
  scopes: ["operator.admin", "operator.read", "operator.write"],
  caps: ["tool-events", "approvals"]
}

for (const gateway of inject("gateways")) {
  describeOn(gateway)(`the console in front of gateway ${gateway.version}`, () => {
    it.live("lets a page chat that has neither token nor device", () =>
      Effect.gen(function* () {
        const { port, url } = yield* startConsole({ GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gateway.token })
        const peer = yield* openProxy(port, { headers: { origin: url } })
        const challenge = yield* frameWhere(peer, () => true)
        assert.strictEqual(challenge.event, "connect.challenge")
        const hello = yield* call(peer, "connect", page, Hello)
        assert.strictEqual(hello.protocol, gateway.version === "2026.9.6" ? 4 : 3)
        assert.includeMembers([...hello.auth.scopes], page.scopes)

        const sessionKey = `agent:main:test-${randomUUID()}`
        const message = "good morning [[mock:chunks=20]] [[mock:delay=20]]"
        const send = { sessionKey, message, idempotencyKey: randomUUID() }
        const { runId } = yield* call(peer, "chat.send", send, Started)
        const states: Array<string> = []
        let text = ""
        while (states.at(-1) !== "final") {
          const { payload } = yield* frameWhere(peer, ({ event }) => event === "chat")
          const chat = yield* Schema.decodeUnknownEffect(Chat)(payload)
          if (chat.runId !== runId) continue
          assert.notInclude(["error", "aborted"], chat.state)
          states.push(chat.state)
          if (chat.message !== undefined) text = textOf(chat.message.content)
        }
        assert.include(states, "delta")
        assert.include(text, "echo: good morning")

        const { messages } = yield* call(peer, "chat.history", { sessionKey }, History)
        assert.deepStrictEqual(
          messages.map(({ role }) => role),
          ["user", "assistant"]
        )
        assert.include(textOf(messages[0]?.content ?? ""), "good morning")
        assert.include(textOf(messages[1]?.content ?? ""), "echo: good morning")
      }).pipe(Effect.scoped)
    )

    it.live("finds it in the gateway's own configuration, links up by itself and says so", () =>
      Effect.gen(function* () {
        const { url } = yield* startConsole({ GATEWAY_HOME: gateway.gatewayHome })
        yield* getJson(`${url}/health`, Health).pipe(
          Effect.repeat({ schedule: Schedule.spaced("50 millis"), until: (health) => health.gateway === "ok" })
        )
        const { gatewayStartedAt } = yield* getJson(`${url}/api/server-info`, ServerInfo)
        assert.isBelow(gatewayStartedAt ?? Number.POSITIVE_INFINITY, Date.now())
      }).pipe(Effect.scoped)
    )
  })
}
