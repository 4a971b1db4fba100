import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import type { Link } from "../../test/support/gatewayLink.ts"
import recorded from "../../test/support/recorded/facts.json" with { type: "json" }
import { practiceGateway } from "../older/practiceGateway.ts"
import { EmbeddedGateway } from "../src/EmbeddedGateway.ts"
import { operator, scriptedAgent } from "./operator.ts"
import { assertKeys } from "./recordedKeys.ts"

interface RecordedCall {
  readonly method: string
  readonly params: object
  readonly ok: boolean
  readonly payload?: string
  readonly error?: { readonly code: string; readonly message: string; readonly details?: string }
}

const Params = Schema.Record(Schema.String, Schema.Unknown)
const Rows = Schema.Struct({ sessions: Schema.Array(Params) })
const Messages = Schema.Struct({ messages: Schema.Array(Params) })

/** Sends recorded requests and compares each answer's fields or error; `$job` is the id of the added job. */
const replay = Effect.fnUntraced(function* (
  link: Link,
  exchanges: ReadonlyArray<RecordedCall>,
  options: {
    readonly without?: ReadonlyArray<string>
    readonly sometimes?: ReadonlyArray<string>
    readonly sentence?: boolean
  } = {}
) {
  let job = "none"
  for (const { method, params, ok, payload, error } of exchanges) {
    const about = `${method} ${JSON.stringify(params)}`
    const filled = yield* Schema.decodeUnknownEffect(Params)(JSON.parse(JSON.stringify(params).replaceAll("$job", job)))
    const answer = yield* link.request(method, filled)
    assert.strictEqual(answer.ok, ok, `${about}: ${JSON.stringify(answer.error)}`)
    if (method === "cron.add" && answer.ok === true) job = String(answer.payload?.id)
    if (method === "cron.run")
      yield* link.waitFor((frame) => frame.event === "cron" && frame.payload?.action === "finished")
    if (ok) assertKeys(answer.payload, payload, { ...options, about })
    else {
      assert.strictEqual(answer.error?.code, error?.code, about)
      const said = answer.error?.message ?? ""
      const expected = (error?.message ?? "").replaceAll("$job", job)
      assert.strictEqual(options.sentence === true ? said.split(". ")[0] : said, expected, about)
      if (error?.details !== undefined) assertKeys(answer.error?.details, error.details, { about })
    }
  }
})

const isRecordedCall = (value: {
  readonly method: string
  readonly params: object
  readonly ok: boolean
}): RecordedCall => value

for (const generation of ["old", "new"] as const) {
  const facts = recorded[generation]
  const layer = practiceGateway({ generation, tokenMs: 0, agent: scriptedAgent })

  describe(`requests to the ${generation} generation, beside the recorded ones`, () => {
    it.live("sessions: answers and errors", () =>
      Effect.gen(function* () {
        const { link } = yield* operator()
        yield* replay(link, facts.sessions.map(isRecordedCall))
      }).pipe(Effect.provide(layer))
    )

    it.live("sessions.patch: answers and errors", () =>
      Effect.gen(function* () {
        const { link } = yield* operator()
        yield* replay(link, facts.patches.map(isRecordedCall))
      }).pipe(Effect.provide(layer))
    )

    it.live("chat: errors", () =>
      Effect.gen(function* () {
        const { link } = yield* operator()
        yield* replay(link, facts.chatErrors.map(isRecordedCall))
      }).pipe(Effect.provide(layer))
    )

    it.live("session rows have recorded fields only, and those a console needs", () =>
      Effect.gen(function* () {
        const { link } = yield* operator()
        yield* link.call("chat.send", { sessionKey: "main", message: "[spawn]", idempotencyKey: "a" })
        yield* link.waitFor(
          (frame) => String(frame.payload?.runId).startsWith("announce:") && frame.payload?.state === "final"
        )
        const answer = yield* link.call("sessions.list", { includeLastMessage: true })
        const { sessions } = yield* Schema.decodeUnknownEffect(Rows)(answer)
        const known = [...facts.rows.split(" "), "thinkingLevel", "label", "spawnedBy"]
        const invented = sessions.flatMap((row) => Object.keys(row).filter((key) => !known.includes(key)))
        assert.deepStrictEqual([...new Set(invented)], [])
        const main = sessions.find((row) => row.key === "agent:main:main") ?? {}
        for (const key of ["sessionId", "kind", "updatedAt", "status", "startedAt", "endedAt", "runtimeMs"])
          assert.property(main, key)
        for (const key of [
          "modelProvider",
          "model",
          "totalTokens",
          "contextTokens",
          "estimatedCostUsd",
          "childSessions"
        ])
          assert.property(main, key)
        assert.strictEqual(sessions.find((row) => row.label === "counter")?.spawnedBy, "agent:main:main")
      }).pipe(Effect.provide(layer))
    )

    it.live("cron: answers, errors, events and entries", () =>
      Effect.gen(function* () {
        const { link } = yield* operator()
        const left = ["deliveryPreview", "deliveryPreviews", "snapshotRevision", "processInstanceId"]
        const exchanges = facts.cron.map(isRecordedCall).filter(({ params }) => !("prompt" in params))
        yield* replay(link, exchanges, { without: left, sentence: true })
        const events = link.frames.flatMap(({ event, payload = {} }) => (event === "cron" ? [payload] : []))
        for (const [action, keys] of Object.entries(facts.cronEvents))
          assertKeys(
            events.find((payload) => payload.action === action),
            keys,
            { about: action, without: ["delivery"] }
          )
        const bad = yield* link.request("cron.add", { schedule: "0 9 * * *", prompt: "x" })
        assert.include(bad.error?.message, "at root: unexpected property 'prompt'")
        assert.include(bad.error?.message, "at /schedule: must be object")
      }).pipe(Effect.provide(layer))
    )

    it.live("catalogues, health and usage", () =>
      Effect.gen(function* () {
        const { link } = yield* operator()
        yield* link.call("chat.send", { sessionKey: "main", message: "hi", idempotencyKey: "a" })
        yield* link.waitFor((frame) => frame.payload?.state === "final")
        const models = yield* link.call("models.list")
        const first = Array.isArray(models.models) ? models.models[0] : undefined
        assertKeys(first, facts.catalogs.models, { sometimes: ["input"] })
        const skills = yield* link.call("skills.status")
        assertKeys(skills, facts.catalogs.skillsPayload)
        assertKeys(Array.isArray(skills.skills) ? skills.skills[0] : undefined, facts.catalogs.skills)
        assertKeys(yield* link.call("health"), facts.catalogs.health, { without: ["modelRuntime", "eventLoop"] })
        const cost = yield* link.call("usage.cost")
        assertKeys(cost, facts.catalogs.usageCost)
        assertKeys(cost.totals, facts.catalogs.usageTotals)
        const usage = yield* link.call("sessions.usage")
        assertKeys(usage, facts.catalogs.usage, { without: ["creatorOptions"] })
      }).pipe(Effect.provide(layer))
    )

    it.live("chat.history: payload and messages", () =>
      Effect.gen(function* () {
        const { link } = yield* operator()
        for (const [index, message] of ["[think]", "[spawn]"].entries()) {
          yield* link.call("chat.send", { sessionKey: "main", message, idempotencyKey: `turn-${index}` })
          yield* link.waitFor((frame) => frame.payload?.runId === `turn-${index}` && frame.payload?.state === "final")
        }
        yield* link.waitFor(
          (frame) => String(frame.payload?.runId).startsWith("announce:") && frame.payload?.state === "final"
        )
        const history = yield* link.call("chat.history", { sessionKey: "main", limit: 50 })
        assertKeys(history, facts.history.payload)
        const { messages } = yield* Schema.decodeUnknownEffect(Messages)(history)
        const known: Readonly<Record<string, string>> = facts.history.roles
        for (const message of messages) {
          const keys = (known[String(message.role)] ?? "").split(" ")
          assert.deepStrictEqual(
            Object.keys(message).filter((key) => !keys.includes(key)),
            [],
            String(message.role)
          )
        }
        assert.sameMembers([...new Set(messages.map((message) => String(message.role)))], Object.keys(known))
      }).pipe(Effect.provide(layer))
    )

    it.live("agent: two answers to one id, and agent.wait", () =>
      Effect.gen(function* () {
        const { link } = yield* operator()
        yield* link.send({
          type: "req",
          id: "run",
          method: "agent",
          params: { message: "do the task", sessionKey: "agent:main:task-1", label: "task-1", idempotencyKey: "k" }
        })
        const second = yield* link.waitFor((frame) => frame.id === "run" && frame.payload?.status === "ok")
        const first = link.frames.find((frame) => frame.id === "run")
        assertKeys(first?.payload, facts.agent.accepted)
        assertKeys(second.payload, facts.agent.second)
        assertKeys(second.payload?.result, facts.agent.result, { without: ["sourceReplyDeliveryState"] })
        const wait = yield* link.call("agent.wait", { runId: "k", timeoutMs: 1000 })
        assertKeys(wait, facts.agent.wait, { without: ["livenessState", "terminalReceipt"] })
        assert.deepStrictEqual(yield* link.call("agent.wait", { runId: "unknown", timeoutMs: 5 }), {
          runId: "unknown",
          status: "timeout"
        })
      }).pipe(Effect.provide(layer))
    )

    it.live("HTTP: status, type and body", () =>
      Effect.gen(function* () {
        const gateway = yield* EmbeddedGateway
        const token = Redacted.value(gateway.token)
        let unauthorized = 0
        for (const { request, status, type, ...expected } of facts.http) {
          const bare = expected.error !== undefined && status === 401
          if (bare) unauthorized += 1
          const authorization = bare
            ? unauthorized === 1
              ? {}
              : { authorization: "Bearer wrong" }
            : { authorization: `Bearer ${token}` }
          const body = "body" in request && request.body !== null ? { body: JSON.stringify(request.body) } : {}
          const response = yield* Effect.promise(() =>
            fetch(gateway.url + request.path, { method: request.method, headers: authorization, ...body })
          )
          const text = yield* Effect.promise(() => response.text())
          const about = `${request.method} ${request.path} ${JSON.stringify(body)}`
          assert.strictEqual(response.status, status, about)
          assert.strictEqual(response.headers.get("content-type"), type, about)
          if (expected.text !== undefined) assert.strictEqual(text, expected.text, about)
          else if (expected.error !== undefined) assert.deepStrictEqual(JSON.parse(text).error, expected.error, about)
          else assertKeys(JSON.parse(text), expected.body, { about, without: ["eventLoop"] })
        }
      }).pipe(Effect.provide(layer))
    )
  })
}
