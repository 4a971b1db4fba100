import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Redacted, Schema, Scope } from "effect"
import { applyPatch } from "../../../src/contract/applyPatch.ts"
import { LiveGateway, PatchOp } from "../../../src/contract/schema/live.ts"
import { listen } from "../../support/listen.ts"
import { greetedLive, HELLO } from "../../support/liveSockets.ts"
import { within } from "../../support/ownTime.ts"

const console = (overrides: Parameters<typeof listen>[0] = {}) => Effect.provide(listen(overrides), NodeServices.layer)

const Snapshot = Schema.Struct({
  e: Schema.String,
  s: Schema.Int,
  state: Schema.Struct({ items: Schema.Array(LiveGateway) })
})
const decodeSnapshot = Schema.decodeUnknownSync(Snapshot)
const Patch = Schema.Struct({ c: Schema.Int, s: Schema.Int, ops: Schema.Array(PatchOp) })
const decodePatch = Schema.decodeUnknownSync(Patch)

/** Adds a gateway that nothing listens at, or changes or removes one; gives the status. */
const send = (base: string, method: string, path: string, body?: object) =>
  Effect.promise(() =>
    fetch(`${base}${path}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    }).then(async (answer) => {
      await answer.text()
      return answer.status
    })
  )

it.live("gateways: all of them with what their links say, then every change as a numbered patch", () =>
  Effect.gen(function* () {
    const { base, ports } = yield* console({ development: true })
    const live = yield* greetedLive(ports.http)
    yield* live.send({ t: "open", c: 3, topic: "gateways" })
    const first = yield* live.next
    assert.deepInclude(first, { t: "snapshot", c: 3 })
    const { s, state } = decodeSnapshot(first)
    assert.lengthOf(state.items, 1)
    assert.deepInclude(state.items[0], {
      id: "primary",
      primary: true,
      can: { rewind: false, versions: false, steer: false, marks: false, archive: false }
    })
    yield* send(base, "POST", "/api/gateways", { id: "b", name: "Second", url: "http://127.0.0.1:1", token: "t" })
    let shown: ReturnType<typeof applyPatch> = { items: state.items, head: {} }
    let number = s
    const follow = (isThere: (items: ReadonlyArray<Record<string, unknown>>) => boolean) =>
      Effect.gen(function* () {
        while (shown !== undefined && !isThere([...shown.items])) {
          const patch = decodePatch(yield* live.nextOf("patch"))
          number += 1
          assert.deepInclude(patch, { c: 3, s: number })
          shown = applyPatch(shown, patch, "id")
          assert.isDefined(shown)
        }
      })
    // The one that can't be reached is tried again at a time that it names.
    yield* follow((items) =>
      items.some(({ id, retryAt, state }) => id === "b" && state === "unreachable" && retryAt !== undefined)
    )
    yield* send(base, "PATCH", "/api/gateways/b", { name: "Other" })
    yield* follow((items) => items.some(({ name }) => name === "Other"))
    const second = yield* greetedLive(ports.http)
    yield* second.send({ t: "open", c: 1, topic: "gateways", have: { e: "old", s: 9 } })
    assert.lengthOf(decodeSnapshot(yield* second.next).state.items, 2)
    yield* send(base, "DELETE", "/api/gateways/b")
    yield* follow((items) => items.length === 1)
    yield* live.send({ t: "close", c: 3 })
    yield* live.send({ t: "ping", n: 1 })
    assert.strictEqual((yield* live.nextOf("tick")).n, 1)
    yield* send(base, "POST", "/api/gateways", { id: "c", name: "Third", url: "http://127.0.0.1:2", token: "t" })
    yield* second.nextOf("patch")
    yield* live.send({ t: "ping", n: 2 })
    assert.deepInclude(yield* live.next, { t: "tick", n: 2 })
  })
)

it.live("who has one gateway's token only sees that one, and events that name no other", () =>
  Effect.gen(function* () {
    const { base, ports, events } = yield* console({ gatewayToken: Redacted.make("first"), development: true })
    yield* send(base, "POST", "/api/gateways", { id: "b", name: "Second", url: "http://127.0.0.1:1", token: "second" })
    const headers = { "x-forwarded-for": "8.8.8.8" }
    const live = yield* greetedLive(ports.http, { headers }, { ...HELLO, gatewayToken: { b: "second", primary: "no" } })
    yield* live.send({ t: "open", c: 1, topic: "gateways" })
    assert.deepStrictEqual(
      decodeSnapshot(yield* live.next).state.items.map(({ id }) => id),
      ["b"]
    )
    yield* live.send({ t: "open", c: 2, topic: "events" })
    yield* live.nextOf("snapshot")
    yield* events.publish({ event: "draft.changed", data: { sessionKey: "agent:main:main", updatedAt: 1 } })
    yield* events.publish({ event: "draft.changed", data: { sessionKey: "@b:agent:main:main", updatedAt: 2 } })
    assert.deepInclude((yield* live.nextOf("event")).data, { updatedAt: 2 })
    yield* events.publish({ event: "file.changed", data: { path: "a", mtime: 1 } })
    assert.strictEqual((yield* live.nextOf("event")).event, "file.changed")
  })
)

it.live("events: the states, then what /api/events sends, once a socket, until the last channel is closed", () =>
  Effect.gen(function* () {
    const { base, events, ports } = yield* console({ development: true })
    const status = { gateway: "unreachable", since: 5 } as const
    yield* events.publish({ event: "status.changed", data: status })
    const live = yield* greetedLive(ports.http)
    for (const c of [1, 2]) {
      yield* live.send({ t: "open", c, topic: "events" })
      const { state } = yield* live.nextOf("snapshot")
      const states: ReadonlyArray<unknown> = Object(state).states
      assert.deepInclude(states[0], { event: "status.changed", data: status })
      assert.isNumber(Object(states[0]).ts)
    }
    yield* send(base, "POST", "/api/events/test", { event: "test.one", data: { n: 1 } })
    const { ts, ...event } = yield* live.next
    assert.deepStrictEqual(event, { t: "event", event: "test.one", data: { n: 1 } })
    assert.isNumber(ts)
    yield* live.send({ t: "close", c: 1 })
    yield* live.send({ t: "ping", n: 1 })
    yield* live.next
    yield* send(base, "POST", "/api/events/test", { event: "test.two", data: {} })
    assert.strictEqual((yield* live.next).event, "test.two")
    yield* live.send({ t: "close", c: 2 })
    yield* live.send({ t: "ping", n: 2 })
    yield* live.next
    yield* send(base, "POST", "/api/events/test", { event: "test.three", data: {} })
    yield* live.send({ t: "ping", n: 3 })
    assert.deepInclude(yield* live.next, { t: "tick", n: 3 })
  })
)

it.live("a reader that doesn't read loses its socket after 1 MB of events; the others get them all", () =>
  Effect.gen(function* () {
    const { events, ports } = yield* console()
    const slow = yield* greetedLive(ports.http)
    const fast = yield* greetedLive(ports.http)
    for (const live of [slow, fast]) {
      yield* live.send({ t: "open", c: 1, topic: "events" })
      yield* live.nextOf("snapshot")
    }
    slow.ws.pause()
    const path = "x".repeat(60_000)
    // The kernel's own buffers take some megabytes first.
    for (let mtime = 0; mtime < 300; mtime += 1) {
      yield* events.publish({ event: "file.changed", data: { path, mtime } })
      const { data } = yield* fast.nextOf("event")
      assert.strictEqual(Object(data).mtime, mtime)
    }
    slow.ws.resume()
    const { code, frames } = yield* slow.ended
    assert.strictEqual(code, 4413)
    assert.deepStrictEqual(frames.at(-1), { t: "bye", why: { code: "TOO_SLOW" } })
    const heard = frames.filter(({ t }) => t === "event").map(({ data }) => Object(data).mtime)
    assert.deepStrictEqual(
      heard,
      heard.map((_, index) => index)
    )
  })
)

it.live("a console that stops says so and closes with 1001", () =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const { ports } = yield* Scope.provide(console(), scope)
    const live = yield* greetedLive(ports.http)
    yield* Scope.close(scope, Exit.void)
    const { code, frames } = yield* within(2000)(live.ended)
    assert.strictEqual(code, 1001)
    assert.deepStrictEqual(frames.at(-1), { t: "bye", why: { code: "STOPPING" } })
  })
)
