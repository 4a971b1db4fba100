import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule, Schema } from "effect"
import { TestClock } from "effect/testing"
import type { OutboxItem } from "../../../../src/contract/schema/outbox.ts"
import { itemOf, messagesOf } from "../../../../src/services/outbox/outboxTable.ts"
import { makeGatewayApp, makeJsonApp } from "../../../support/gatewayApp.ts"
import { writtenIn } from "../../../support/writtenIn.ts"

const KEY = "agent:main:outbox"

const makeWorld = Effect.fnUntraced(function* (generation: "old" | "new") {
  const app = yield* makeGatewayApp({ generation, tokenMs: 10 })
  const post = (text: string, more: object = {}) =>
    app.send("POST", "/api/outbox", { id: randomUUID(), sessionKey: KEY, text, mode: "next", ...more })
  // Not by the route, which may be asked only so often.
  const items = app.sqlite.read((db) =>
    messagesOf(db, { gatewayId: "primary", sessionKey: KEY }).map((message, index) => itemOf(db, message, index))
  )
  const eventually = <A, E>(ask: Effect.Effect<A, E>, isIt: (answer: A) => boolean) =>
    Effect.repeat(ask, { schedule: Schedule.spaced("20 millis"), until: isIt })
  return { ...app, post, items, eventually, said: writtenIn(app.client, KEY) }
})

const KEPT = { gatewayId: "primary", sessionKey: KEY, mode: "next", state: "waiting" } as const

/** The session's response goes on until somebody stops it. */
const keptBusy = Effect.fnUntraced(function* ({
  eventually,
  items,
  post,
  said
}: Effect.Success<ReturnType<typeof makeWorld>>) {
  const { body } = yield* post("hang")
  // An older gateway writes it down with the response, a newer one says at once that it has.
  yield* eventually(Effect.all([items, said]), ([[first], all]) => first?.state === "handed" || all.at(-1) === "hang")
  return String(body.id)
})

/** What waits, without what an older gateway has: only a newer one says at once that a message arrived. */
const waiting = (items: ReadonlyArray<OutboxItem>) => items.filter(({ text }) => text !== "hang")
const texts = (items: ReadonlyArray<OutboxItem>) => waiting(items).map(({ text }) => text)

for (const generation of ["old", "new"] as const)
  describe(`the outbox with a gateway of the ${generation} generation`, () => {
    it.live("hands messages over in their order, each once the response before it has ended", () =>
      Effect.gen(function* () {
        const { eventually, items, post, said } = yield* makeWorld(generation)
        const first = yield* post("say one")
        assert.strictEqual(first.status, 201)
        assert.deepInclude(first.body, { gatewayId: "primary", sessionKey: KEY, text: "say one", mode: "next" })
        yield* post("say two")
        yield* post("say three")
        yield* eventually(said, ({ length }) => length === 3)
        assert.deepStrictEqual(yield* said, ["say one", "say two", "say three"])
        yield* eventually(items, ({ length }) => length === 0)
      })
    )

    it.live(
      "keeps a message while a response is running, which can be changed, moved and taken back until it goes",
      () =>
        Effect.gen(function* () {
          const world = yield* makeWorld(generation)
          const { eventually, items, post, said, send, client } = world
          const busy = yield* keptBusy(world)
          const ids: Array<string> = []
          for (const text of ["one", "two", "three", "four"]) ids.push((yield* post(text)).body.id)
          const [one = "", two = "", three = "", four = ""] = ids
          const all = yield* items
          assert.deepStrictEqual(texts(all), ["one", "two", "three", "four"])
          const first = all.length - 4
          assert.deepStrictEqual(
            waiting(all).map(({ position }) => position - first),
            [0, 1, 2, 3]
          )
          assert.deepInclude(waiting(all)[0], { ...KEPT, id: one, runId: one })

          assert.deepInclude((yield* send("PATCH", `/api/outbox/${three}`, { position: first })).body, {
            position: first
          })
          assert.deepInclude((yield* send("PATCH", `/api/outbox/${two}`, { text: "two, better" })).body, {
            text: "two, better",
            position: first + 2
          })
          assert.strictEqual((yield* send("DELETE", `/api/outbox/${one}`)).status, 200)
          assert.deepStrictEqual(texts(yield* items), ["three", "two, better", "four"])
          assert.strictEqual((yield* send("DELETE", `/api/outbox/${one}`)).status, 404)
          const late = yield* send("PATCH", `/api/outbox/${busy}`, { text: "no" })
          assert.strictEqual((yield* send("DELETE", `/api/outbox/${busy}`)).status, late.status)
          if (generation === "old") assert.deepInclude(late, { status: 409 })
          if (late.status === 409) {
            assert.strictEqual(late.body.error, "on_its_way")
            assert.strictEqual(late.body.item.id, busy)
          } else assert.strictEqual(late.status, 404)
          assert.strictEqual((yield* send("POST", `/api/outbox/${four}/resolve`, { action: "sent" })).status, 409)

          yield* client.request("chat.abort", { sessionKey: KEY }, Schema.Unknown)
          yield* eventually(said, ({ length }) => length === 4)
          assert.deepStrictEqual(yield* said, ["hang", "three", "two, better", "four"])
          yield* eventually(items, ({ length }) => length === 0)
        })
    )

    it.live("stops the running response for a message that wants that, and sends the others afterwards", () =>
      Effect.gen(function* () {
        const world = yield* makeWorld(generation)
        const { eventually, items, post, said } = world
        yield* keptBusy(world)
        yield* post("after")
        yield* post("now", { mode: "interrupt" })
        yield* eventually(said, ({ length }) => length === 3)
        assert.deepStrictEqual(yield* said, ["hang", "now", "after"])
        yield* eventually(items, ({ length }) => length === 0)
      })
    )

    it.live("takes messages without a gateway, and sends them when it is back, each once", () =>
      Effect.gen(function* () {
        const { control, eventually, items, post, said, untilStatus } = yield* makeWorld(generation)
        yield* control.stop
        yield* untilStatus(({ gateway }) => gateway !== "ok")
        for (const text of ["one", "two"]) assert.strictEqual((yield* post(text)).status, 201)
        assert.deepStrictEqual(texts(yield* items), ["one", "two"])
        yield* control.start
        yield* eventually(items, ({ length }) => length === 0)
        assert.deepStrictEqual(yield* said, ["one", "two"])
      })
    )

    it.live("gives back what waits when the response before it fails, and sends it again when asked", () =>
      Effect.gen(function* () {
        const world = yield* makeWorld(generation)
        const { eventually, items, post, said, send } = world
        yield* post("slow fail")
        const { body } = yield* post("after")
        yield* post("much later", { notBefore: Date.now() + 60_000 })
        yield* eventually(items, (all) => all[0]?.state === "failed")
        assert.deepInclude((yield* items)[0], {
          id: body.id,
          error: "Not sent because the previous response failed."
        })
        assert.deepInclude((yield* items)[1], { state: "waiting" })
        assert.strictEqual((yield* send("POST", `/api/outbox/${body.id}/resolve`, { action: "again" })).status, 200)
        yield* eventually(items, ({ length }) => length === 1)
        assert.deepStrictEqual(yield* said, ["slow fail", "after"])
      })
    )

    it.live("sends what waits behind a command that clears the session", () =>
      Effect.gen(function* () {
        const { eventually, items, post, said } = yield* makeWorld(generation)
        yield* post("before")
        yield* eventually(items, ({ length }) => length === 0)
        yield* post("/reset")
        yield* post("after")
        yield* eventually(items, ({ length }) => length === 0)
        const all = yield* said
        assert.notInclude(all, "before")
        assert.strictEqual(all.at(-1), "after")
      })
    )

    it.live("gives back what waits when somebody clears or deletes the session", () =>
      Effect.gen(function* () {
        const world = yield* makeWorld(generation)
        const { client, eventually, items, post } = world
        for (const [method, why] of [
          ["sessions.reset", "Not sent because the session was cleared."],
          ["sessions.delete", "Not sent because the session was deleted."]
        ] as const) {
          yield* keptBusy(world)
          const { body } = yield* post("after")
          const find = Effect.map(items, (all) => all.find(({ id }) => id === body.id))
          yield* client.request(method, { key: KEY }, Schema.Unknown)
          yield* eventually(find, (item) => item?.state === "failed")
          assert.strictEqual((yield* find)?.error, why)
          yield* world.send("DELETE", `/api/outbox/${body.id}`)
        }
      })
    )
  })

describe("the outbox", () => {
  it.live("hands a message to the running response where the gateway can", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld("new")
      const { control, eventually, post } = world
      yield* keptBusy(world)
      const { body } = yield* post("look left", { mode: "steer" })
      yield* eventually(
        Effect.map(control.frames, (frames) => frames.filter(({ text }) => text.includes(body.id))),
        (frames) => frames.length === 1
      )
      const [frame] = (yield* control.frames).filter(({ text }) => text.includes(body.id))
      assert.deepInclude(JSON.parse(frame?.text ?? "{}").params, { message: "look left", queueMode: "steer" })
    })
  )

  it.live("gives back a message that was handed to a response which was stopped before it read it", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld("new")
      const { client, eventually, items, post, said } = world
      yield* keptBusy(world)
      const { body } = yield* post("look left", { mode: "steer" })
      yield* eventually(items, (all) => all.some(({ id, state }) => id === body.id && state === "handed"))
      yield* client.request("chat.abort", { sessionKey: KEY }, Schema.Unknown)
      yield* eventually(items, (all) => all.some(({ id, state }) => id === body.id && state === "failed"))
      assert.deepStrictEqual(yield* said, ["hang"])
      assert.strictEqual((yield* world.send("POST", `/api/outbox/${body.id}/resolve`, { action: "again" })).status, 200)
      yield* eventually(said, ({ length }) => length === 2)
      assert.deepStrictEqual(yield* said, ["hang", "look left"])
    })
  )

  it.live("takes a message once, also when it comes twenty times at the same moment", () =>
    Effect.gen(function* () {
      const { eventually, items, said, send } = yield* makeWorld("new")
      const message = { id: randomUUID(), sessionKey: KEY, text: "once", mode: "next" }
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, () => send("POST", "/api/outbox", message)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [
        ...Array.from({ length: 19 }, () => 200),
        201
      ])
      yield* eventually(items, ({ length }) => length === 0)
      const late = yield* send("POST", "/api/outbox", { ...message, text: "something else" })
      assert.strictEqual(late.status, 200)
      assert.deepInclude(late.body, { id: message.id, state: "handed", text: "" })
      assert.deepStrictEqual(yield* said, ["once"])
    })
  )

  it.live("sends what waits for a time then, and lets the others pass", () =>
    Effect.gen(function* () {
      const { eventually, post, said } = yield* makeWorld("new")
      yield* post("later", { notBefore: Date.now() + 700 })
      yield* post("first")
      yield* eventually(said, ({ length }) => length === 2)
      assert.deepStrictEqual(yield* said, ["first", "later"])
    })
  )

  it.live("passes pictures on as they are", () =>
    Effect.gen(function* () {
      const { control, eventually, items, post } = yield* makeWorld("new")
      const data = Buffer.from("a picture").toString("base64")
      const { body } = yield* post("", { attachments: [{ name: "a.png", type: "image/png", data }] })
      assert.deepStrictEqual(body.attachments, [{ name: "a.png", type: "image/png", size: 9 }])
      yield* eventually(items, ({ length }) => length === 0)
      const [frame] = (yield* control.frames).filter(({ text }) => text.includes(body.id))
      assert.deepStrictEqual(JSON.parse(frame?.text ?? "{}").params.attachments, [
        { type: "image", mimeType: "image/png", fileName: "a.png", content: data }
      ])
    })
  )

  it.effect("refuses what it can't take, with a reason, and keeps the rest", () =>
    Effect.gen(function* () {
      const { send } = yield* makeJsonApp()
      const id = () => randomUUID()
      const message = { sessionKey: KEY, text: "text", mode: "next" }
      // Each a little later, so that none meets the limit on how often it may be asked.
      const post = (more: object) =>
        Effect.andThen(
          TestClock.adjust("2 seconds"),
          Effect.suspend(() => send("POST", "/api/outbox", { id: id(), ...message, ...more }))
        )
      const bytes = (count: number) => [{ name: "a", type: "image/png", data: Buffer.alloc(count).toString("base64") }]
      for (const wrong of [
        { id: "no" },
        { mode: "soon" },
        { sessionKey: "" },
        { text: " " },
        { notBefore: -1 },
        { attachments: [{ name: "a", type: "image", data: "AAAA" }] },
        { attachments: [{ name: "a", type: "image/png", data: "AAA" }] },
        { attachments: Array.from({ length: 21 }, () => bytes(1)[0]) }
      ]) {
        const { body, status } = yield* post(wrong)
        assert.strictEqual(status, 400, JSON.stringify(wrong))
        assert.strictEqual(body.error, "validation_error")
      }
      assert.deepInclude((yield* post({ gatewayId: "elsewhere" })).body, { error: "unknown_gateway" })
      assert.strictEqual((yield* post({ attachments: bytes(12_000_000) })).status, 201)
      const tooLarge = yield* post({ attachments: bytes(12_000_001) })
      assert.deepInclude(tooLarge, { status: 413 })
      assert.strictEqual(tooLarge.body.error, "attachments_too_large")
      for (let count = 1; count < 200; count += 1) assert.strictEqual((yield* post({})).status, 201)
      const full = yield* post({})
      assert.deepInclude(full, { status: 409 })
      assert.deepInclude(full.body, { error: "outbox_full" })
      assert.strictEqual((yield* post({ sessionKey: "agent:main:another" })).status, 201)
      assert.lengthOf((yield* send("GET", `/api/outbox?sessionKey=${KEY}`)).body.items, 200)
      assert.lengthOf((yield* send("GET", "/api/outbox")).body.items, 201)
    })
  )

  it.effect("keeps at most 200 MB", () =>
    Effect.gen(function* () {
      const { send } = yield* makeJsonApp()
      const attachments = [{ name: "a", type: "image/png", data: Buffer.alloc(12_000_000).toString("base64") }]
      const post = send("POST", "/api/outbox", {
        id: randomUUID(),
        sessionKey: KEY,
        text: "",
        mode: "next",
        attachments
      })
      const again = Effect.suspend(() =>
        send("POST", "/api/outbox", { id: randomUUID(), sessionKey: KEY, text: "", mode: "next", attachments })
      )
      assert.strictEqual((yield* post).status, 201)
      for (let count = 1; count < 16; count += 1) assert.strictEqual((yield* again).status, 201)
      const full = yield* again
      assert.strictEqual(full.status, 409)
      assert.include(full.body.details, "200 MB")
    })
  )
})
