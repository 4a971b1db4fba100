import { assert, describe, it } from "@effect/vitest"
import { Effect, PubSub, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import type { PublishedEvent } from "../../../../src/contract/ConsoleEvent.ts"
import type { InboxChange } from "../../../../src/contract/schema/inbox.ts"
import type { GatewayClientShape } from "../../../../src/services/gateway/client/GatewayClient.ts"
import type { GatewayEvent } from "../../../../src/services/gateway/client/gatewayFrames.ts"
import { makeGatewayApp } from "../../../support/gatewayApp.ts"
import { newDevice, openLink } from "../../../support/gatewayLink.ts"

const say = (client: GatewayClientShape, message: string, sessionKey = "agent:main:inbox") =>
  client.request("chat.send", { sessionKey, message, idempotencyKey: `${sessionKey} ${message}` }, Schema.Unknown)

const nextChange = (events: PubSub.Subscription<PublishedEvent>): Effect.Effect<InboxChange> =>
  Effect.flatMap(PubSub.take(events), (event) =>
    event.event === "inbox.changed" ? Effect.succeed(event.data) : nextChange(events)
  )

const Pairings = Schema.Struct({ pending: Schema.Array(Schema.Struct({ requestId: Schema.String })) })
const decodeId = Schema.decodeUnknownEffect(Schema.Struct({ id: Schema.String }))

/** The gateway's own id of the next approval. */
const nextId = Effect.fnUntraced(function* (frames: PubSub.Subscription<GatewayEvent>) {
  for (;;) {
    const { event, payload } = yield* PubSub.take(frames)
    if (event === "exec.approval.requested") return (yield* decodeId(payload)).id
  }
})

const makeWorld = Effect.fnUntraced(function* (generation: "old" | "new") {
  const app = yield* makeGatewayApp({ generation })
  const events = yield* app.events.subscribe
  return {
    ...app,
    gatewayUrl: app.settings.gatewayUrl,
    token: Redacted.value(app.settings.gatewayToken ?? Redacted.make("")),
    say: (message: string, key?: string) => say(app.client, message, key),
    change: nextChange(events),
    resolve: (id: string, body: object) => app.send("POST", `/api/inbox/${id}/resolve`, body)
  }
})

for (const generation of ["old", "new"] as const) {
  describe(`the inbox with a gateway of the ${generation} generation`, () => {
    it.effect("has an approval until one of two people decides; the other gets the decision", () =>
      Effect.gen(function* () {
        const { change, resolve, say, send } = yield* makeWorld(generation)
        yield* say("please approve")
        const { action, item } = yield* change
        assert.strictEqual(action, "opened")
        assert.deepInclude(item, {
          gatewayId: "primary",
          kind: "approval",
          title: "rm -r ./old-reports && echo tidy",
          sessionKey: "agent:main:inbox",
          state: "open"
        })
        assert.deepStrictEqual((yield* send("GET", "/api/inbox?state=open")).body, { items: [item], total: 1, open: 1 })
        const answers = yield* Effect.all(
          [resolve(item.id, { action: "deny" }), resolve(item.id, { action: "allow-once" })],
          { concurrency: "unbounded" }
        )
        const [won, lost] = answers.toSorted((a, b) => a.status - b.status)
        assert.deepStrictEqual([won?.status, lost?.status], [200, 409])
        assert.deepInclude(won?.body, { id: item.id, state: "resolved", actions: [] })
        assert.strictEqual(won?.body.resolution.by, "console")
        assert.deepStrictEqual(lost?.body, { error: "already_resolved", item: won?.body })
        assert.deepStrictEqual(yield* change, { action: "resolved", item: won?.body })
      })
    )

    it.effect("has a device that asks to be admitted until somebody decides, here or there", () =>
      Effect.gen(function* () {
        const { change, client, control, resolve, gatewayUrl, token } = yield* makeWorld(generation)
        yield* control.setDevicePolicy("manual")
        const knock = Effect.gen(function* () {
          const link = yield* openLink(gatewayUrl.replace("http", "ws"))
          yield* link.connect({ token, device: newDevice(), client: { displayName: "Phone", platform: "android" } })
        })
        yield* knock
        const first = (yield* change).item
        assert.deepInclude(first, { kind: "pairing", title: "Phone on android", state: "open" })
        const done = yield* resolve(first.id, { action: "approve" })
        assert.deepInclude(done.body.resolution, { action: "approve", by: "console" })
        assert.strictEqual((yield* change).item.id, first.id)

        yield* knock
        const second = (yield* change).item
        const { pending } = yield* client.request("device.pair.list", {}, Pairings)
        yield* client.request("device.pair.reject", { requestId: pending[0]?.requestId }, Schema.Unknown)
        const ended = yield* change
        assert.deepInclude(ended.item, { id: second.id, state: "resolved" })
        assert.deepInclude(ended.item.resolution, { action: "reject", by: "elsewhere" })
      })
    )

    it.effect("removes a device that has given up, although the gateway sends no event", () =>
      Effect.gen(function* () {
        const { change, control, gatewayUrl, token } = yield* makeWorld(generation)
        yield* control.setDevicePolicy("manual")
        const link = yield* openLink(gatewayUrl.replace("http", "ws"))
        yield* link.connect({ token, device: newDevice() })
        const { item } = yield* change
        // The gateway forgets a request that isn't renewed for five minutes.
        yield* TestClock.adjust("7 minutes")
        const ended = yield* change
        assert.deepStrictEqual([ended.item.id, ended.item.resolution?.action], [item.id, "unknown"])
      })
    )

    it.effect("receives the decision of somebody else", () =>
      Effect.gen(function* () {
        const { change, client, resolve, say } = yield* makeWorld(generation)
        const frames = yield* client.events
        yield* say("please approve")
        const { item } = yield* change
        const id = yield* nextId(frames)
        yield* client.request("exec.approval.resolve", { id, decision: "allow-once" }, Schema.Unknown)
        const ended = yield* change
        assert.deepInclude(ended.item.resolution, { action: "allow-once", by: "elsewhere" })
        const late = yield* resolve(item.id, { action: "deny" })
        assert.deepStrictEqual([late.status, late.body.item], [409, ended.item])
      })
    )
  })
}

describe("the inbox with a newer gateway", () => {
  it.effect("passes the answers to a question on, and refuses what isn't one", () =>
    Effect.gen(function* () {
      const { change, resolve, say, send } = yield* makeWorld("new")
      yield* say("ask me quickly")
      const { item } = yield* change
      assert.strictEqual(item.kind, "question")
      const [part] = item.questions ?? []
      assert.isDefined(part)
      for (const body of [
        {},
        { action: "deny" },
        { action: "answer" },
        { action: "answer", answers: { [part?.id ?? ""]: {} } },
        { action: "answer", answers: { [part?.id ?? ""]: { options: ["77"] } } },
        { action: "answer", answers: { other: { options: ["1"] } } }
      ]) {
        const refused = yield* resolve(item.id, body)
        assert.deepStrictEqual([refused.status, refused.body.error], [400, "validation_error"])
      }
      const answers = { [part?.id ?? ""]: { options: ["1"] } }
      const done = yield* resolve(item.id, { action: "answer", answers })
      assert.strictEqual(done.status, 200)
      assert.deepInclude(done.body.resolution, { action: "answer", by: "console" })
      assert.strictEqual((yield* resolve("nothing", { action: "answer", answers })).status, 404)
      assert.deepStrictEqual((yield* send("GET", "/api/inbox?state=resolved&kind=question,review")).body, {
        items: [done.body],
        total: 1,
        open: 0
      })
    })
  )
})

describe("a question that nobody answers", () => {
  it.effect("is over when the gateway says so", () =>
    Effect.gen(function* () {
      const { change, say, send } = yield* makeWorld("new")
      yield* say("ask me quickly")
      const { item } = yield* change
      assert.strictEqual((item.expiresAt ?? 0) - item.createdAt, 8_000)
      yield* TestClock.adjust("8 seconds")
      const over = yield* change
      assert.strictEqual(over.action, "expired")
      assert.deepInclude(over.item.resolution, { action: "skip", by: "timeout" })
      assert.strictEqual((yield* send("GET", "/api/inbox")).body.open, 0)
    })
  )
})

describe("what the board asks a person", () => {
  it.effect("is opened by a proposal, and decided once, here or there", () =>
    Effect.gen(function* () {
      const { change, resolve, send } = yield* makeWorld("new")
      const propose = (title: string) => send("POST", "/api/kanban/proposals", { type: "create", payload: { title } })
      yield* propose("First")
      const first = (yield* change).item
      assert.deepInclude(first, { kind: "proposal", title: "New card: First", state: "open" })
      const done = yield* resolve(first.id, { action: "approve" })
      assert.strictEqual(done.status, 200)
      assert.deepStrictEqual((yield* change).item, done.body)
      assert.deepInclude((yield* send("GET", "/api/kanban/tasks")).body.items[0], { title: "First" })

      const { body } = yield* propose("Second")
      const second = (yield* change).item
      yield* send("POST", `/api/kanban/proposals/${body.proposal?.id ?? body.id}/reject`, {})
      assert.deepInclude((yield* change).item.resolution, { action: "reject", by: "console" })
      assert.strictEqual((yield* resolve(second.id, { action: "approve" })).status, 409)
    })
  )

  it.effect("is opened by a card in review, and again when it is there a second time", () =>
    Effect.gen(function* () {
      const { change, resolve, send } = yield* makeWorld("new")
      const { body: task } = yield* send("POST", "/api/kanban/tasks", { title: "Paint", status: "review" })
      const first = (yield* change).item
      assert.deepInclude(first, { kind: "review", title: "Paint", taskId: task.id })
      assert.strictEqual((yield* resolve(first.id, { action: "send-back" })).status, 400)
      const sent = yield* resolve(first.id, { action: "send-back", text: "Blue, please" })
      assert.deepInclude(sent.body.resolution, { action: "send-back", by: "console" })
      assert.strictEqual((yield* change).item.id, first.id)
      const { body: back } = yield* send("GET", "/api/kanban/tasks")
      assert.deepInclude(back.items[0], { status: "todo" })
      yield* send("PATCH", `/api/kanban/tasks/${task.id}`, { version: back.items[0].version, status: "review" })
      const second = (yield* change).item
      assert.notStrictEqual(second.id, first.id)
      yield* send("POST", `/api/kanban/tasks/${task.id}/approve`, {})
      assert.deepInclude((yield* change).item.resolution, { action: "approve", by: "console" })
    })
  )

  it.effect("is opened by a run that failed, until it is retried", () =>
    Effect.gen(function* () {
      const { change, resolve, send } = yield* makeWorld("new")
      const { body: task } = yield* send("POST", "/api/kanban/tasks", { title: "Paint", status: "todo" })
      yield* send("POST", `/api/kanban/tasks/${task.id}/execute`, {})
      yield* send("POST", `/api/kanban/tasks/${task.id}/complete`, { error: "No paint" })
      const { item } = yield* change
      assert.deepInclude(item, { kind: "failed", title: "Paint", detail: "No paint", taskId: task.id })
      const retried = yield* resolve(item.id, { action: "retry" })
      assert.deepInclude(retried.body.resolution, { action: "retry", by: "console" })
      assert.deepInclude((yield* send("GET", "/api/kanban/tasks")).body.items[0], { status: "in-progress" })
    })
  )
})
