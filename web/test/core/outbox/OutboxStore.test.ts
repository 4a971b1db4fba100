import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import type { WrittenMessage } from "../../../../src/services/conversations/turn/outgoing.ts"
import { createOutbox, type Outbox } from "../../../src/core/outbox/createOutbox.ts"
import type { OutboxMessage } from "../../../src/core/outbox/outboxMessage.ts"
import type { OutboxParts, Returned } from "../../../src/core/outbox/outboxTypes.ts"
import { ConsoleDouble } from "../support/ConsoleDouble.ts"
import { FakeGateway } from "../support/FakeGateway.ts"
import { memoryKept } from "../support/memoryKept.ts"

const KEY = "agent:main:main"
let console: ConsoleDouble
let kept: Map<string, WrittenMessage>
let outbox: Outbox
let ids = 0
let protocol: number | null = null
let returned: ReadonlyArray<Returned> = []
let prepare: OutboxParts["prepare"] = () => null

const open = (openKept: OutboxParts["env"]["openKept"] = async () => memoryKept(kept)): Outbox =>
  createOutbox({
    api: console.api,
    events: console.events,
    env: { ...new FakeGateway().env, openKept },
    prepare: (sessionKey) => prepare(sessionKey),
    giveBack: (one) => {
      returned = [...returned, one]
    }
  })
const givenBack = () => returned.map(({ message, reason }) => [message.text, reason])
const settle = async () => {
  await vi.advanceTimersByTimeAsync(10)
  await vi.dynamicImportSettled()
  await vi.advanceTimersByTimeAsync(10)
}
const write = (text: string, more: Partial<WrittenMessage> = {}): string => {
  const id = `m${++ids}`
  outbox.send({ id, sessionKey: KEY, text, images: [], mode: "next", at: Date.now(), ...more })
  return id
}
const follow = (key = KEY) => {
  const told: Array<ReadonlyArray<OutboxMessage>> = []
  outbox.follow(key, (messages) => told.push(messages))
  return { told, now: () => told.at(-1)?.map(({ text, state }) => `${text} ${state}`) }
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  protocol = null
  returned = []
  prepare = () => null
  console = new ConsoleDouble({ protocol: () => protocol, call: async () => ({ ok: true, payload: {} }) })
  kept = new Map()
  outbox = open()
})
afterEach(() => {
  outbox.dispose()
  vi.useRealTimers()
})

describe("the outbox of a page", () => {
  it("gives messages to the console one after the other, and forgets them here then", async () => {
    const { now } = follow()
    for (const text of ["one", "two", "three"]) write(text)
    await settle()
    assert.deepStrictEqual(
      console.items.map(({ text }) => text),
      ["one", "two", "three"]
    )
    assert.deepStrictEqual(now(), ["one waiting", "two waiting", "three waiting"])
    assert.strictEqual(kept.size, 0)
  })

  it("requests the lists once: from then on events have the state of messages", async () => {
    await settle()
    follow()
    follow("agent:main:other")
    await settle()
    const before = console.requests.length
    const id = write("one")
    await settle()
    await outbox.act((store) => store.change(id, { mode: "steer" }))
    await outbox.act((store) => store.remove(id))
    await settle()
    assert.deepStrictEqual(
      console.requests.slice(before).filter((request) => request.startsWith("GET")),
      []
    )
  })

  it("asks for words that it doesn't know: those of another device, and changed ones", async () => {
    const { now } = follow()
    await settle()
    const other = open()
    other.send({ id: "theirs", sessionKey: KEY, text: "from the phone", images: [], mode: "next", at: 1 })
    await settle()
    assert.deepStrictEqual(now(), ["from the phone waiting"])
    await other.act((store) => store.change("theirs", { text: "from the phone, better" }))
    await settle()
    assert.deepStrictEqual(now(), ["from the phone, better waiting"])
    other.dispose()
  })

  it("asks again after a reconnect while an older answer is still on its way", async () => {
    const { now } = follow()
    await settle()
    const other = open()
    other.follow(KEY, () => {})
    await settle()
    console.isDeaf = true
    console.connected.set(false)
    const { promise, resolve } = Promise.withResolvers<void>()
    console.wire = promise
    console.connected.set(true)
    await settle()
    console.wire = null
    console.connected.set(false)
    other.send({ id: "missed", sessionKey: KEY, text: "while it was away", images: [], mode: "next", at: 1 })
    await settle()
    console.connected.set(true)
    resolve()
    await settle()
    assert.deepStrictEqual(now(), ["while it was away waiting"])
    other.dispose()
  })

  it("requests nothing after too many requests until the console allows it, despite events and messages", async () => {
    const { now } = follow()
    await settle()
    const free = console.events.on("outbox.changed", () => {
      console.retryAfterMs = 30_000
    })
    const elsewhere = async (id: string) => {
      console.retryAfterMs = null
      const body = { id, sessionKey: KEY, text: id, mode: "next" }
      await console.api.request("POST", "/api/outbox", () => true, { body })
      await settle()
    }
    await elsewhere("a")
    const before = console.requests.length
    await elsewhere("b")
    write("c")
    await settle()
    write("d")
    await vi.advanceTimersByTimeAsync(20_000)
    assert.deepStrictEqual(console.requests.slice(before), ["POST /api/outbox", "POST /api/outbox"])
    free()
    console.retryAfterMs = null
    await vi.advanceTimersByTimeAsync(20_000)
    await settle()
    assert.deepStrictEqual(now()?.toSorted(), ["a waiting", "b waiting", "c waiting", "d waiting"])
  })

  it("sends at once what the browser won't let outlive the page", async () => {
    const { now } = follow()
    await settle()
    const { request } = console.api
    vi.spyOn(console.api, "request").mockImplementation(async (method, path, decode, options) => {
      const failed = { kind: "offline", status: 0, message: "Failed to fetch", retryAfterMs: null, body: null } as const
      return options?.keepalive === true ? { ok: false, error: failed } : request(method, path, decode, options)
    })
    write("long")
    write("after it")
    await settle()
    assert.deepStrictEqual(now(), ["long waiting", "after it waiting"])
  })

  const FULL = "200 messages are waiting in this session already."
  it.each([
    ["conflict", 409, FULL, FULL],
    ["forbidden", 403, "A page from elsewhere asked.", "A page from elsewhere asked."],
    ["invalid", 400, "attachments: must be at most 20", "The console doesn't take this message as it is."],
    ["too_large", 413, "That's too large.", "That's too large."],
    ["server", 422, "It can't be read.", "It can't be read."]
  ] as const)("gives back once what the console refuses for good: %s", async (error, status, message, reason) => {
    const { now } = follow()
    console.refusal = { error, status, message }
    write("refused")
    await settle()
    assert.deepStrictEqual([now(), givenBack()], [[], [["refused", reason]]])
    assert.strictEqual(kept.size, 0, "no later page sends it")
    console.refusal = null
    write("after it")
    await settle()
    assert.deepStrictEqual(
      console.items.map(({ text }) => text),
      ["after it"],
      "it holds nothing up"
    )
    outbox.dispose()
    outbox = open()
    await settle()
    assert.lengthOf(returned, 1)
  })

  it.each([
    ["unauthorized", 401],
    ["server", 408],
    ["server", 425],
    ["rate_limited", 429],
    ["foreign", 401],
    ["foreign", 404],
    ["foreign", 403],
    ["server", 500],
    ["gateway", 503]
  ] as const)("keeps what the console may take later: %s %i", async (error, status) => {
    console.refusal = { error, status, message: "Not now." }
    write("later")
    await settle()
    assert.deepStrictEqual([givenBack(), kept.size], [[], 1])
    console.refusal = null
    await vi.advanceTimersByTimeAsync(6_000)
    await settle()
    assert.strictEqual(console.items[0]?.text, "later")
  })

  it("says of a text that is too long how long it may be", async () => {
    console.refusal = { error: "invalid", status: 400, message: "text: must be at most 200000 characters" }
    write("x".repeat(204_000))
    await settle()
    assert.strictEqual(returned[0]?.reason, "That's too long to send (204,000 of 200,000 characters).")
  })

  it("gives back what an earlier page kept on one page only, however many of them are open", async () => {
    outbox.dispose()
    const message = { id: "old", sessionKey: KEY, text: "old", images: [], mode: "next", at: 1 } as const
    kept.set("old", message)
    console.refusal = { error: "invalid", status: 400, message: "text: no" }
    const pages = [open(), open()]
    await settle()
    for (const page of pages) page.dispose()
    assert.deepStrictEqual(
      returned.map((one) => one.message),
      [message]
    )
  })

  it("gives back what the browser couldn't keep, too", async () => {
    console.refusal = { error: "conflict", status: 409, message: FULL }
    const full = { ...memoryKept(kept), put: () => Promise.reject(new Error("full")) }
    for (const openKept of [async () => full, () => Promise.reject(new Error("nothing"))]) {
      outbox.dispose()
      outbox = open(openKept)
      returned = []
      write("kept nowhere")
      await settle()
      assert.deepStrictEqual(givenBack(), [["kept nowhere", FULL]])
    }
  })

  it("leaves what was taken back meanwhile where it is", async () => {
    follow()
    const { promise, resolve } = Promise.withResolvers<{ readonly ok: false; readonly message: string }>()
    prepare = () => promise
    const id = write("taken back")
    await settle()
    assert.isTrue((await outbox.act((store) => store.remove(id))).ok)
    resolve({ ok: false, message: "There's no such model." })
    await settle()
    assert.deepStrictEqual([givenBack(), kept.size, console.items], [[], 0, []])
  })

  it("sends nothing to a session before that has what was chosen for it", async () => {
    const { now } = follow()
    const { promise, resolve } = Promise.withResolvers<{ readonly ok: true; readonly value: true }>()
    prepare = (sessionKey) => (sessionKey === KEY ? promise : null)
    write("one")
    write("two")
    write("elsewhere", { sessionKey: "agent:main:other" })
    await settle()
    assert.deepStrictEqual(now(), ["one taking", "two taking"])
    assert.strictEqual(kept.size, 2, "they survive the page")
    assert.deepStrictEqual(
      console.items.map(({ text }) => text),
      ["elsewhere"]
    )
    resolve({ ok: true, value: true })
    await settle()
    assert.deepStrictEqual(now(), ["one waiting", "two waiting"])
  })

  it("gives back what can't be sent as it was meant to be", async () => {
    prepare = async () => ({ ok: false, message: "There's no such model." })
    write("for the other model")
    await settle()
    assert.deepStrictEqual(givenBack(), [["for the other model", "There's no such model."]])
    assert.deepStrictEqual([console.items, kept.size], [[], 0])
  })

  it("takes back what the console may have heard of as soon as that can be reached", async () => {
    const { now } = follow()
    console.losesAnswers = true
    const id = write("did it hear this?")
    await settle()
    assert.strictEqual(console.items.length, 1)
    assert.isTrue((await outbox.act((store) => store.remove(id))).ok)
    assert.deepStrictEqual(now(), [])
    assert.isFalse(kept.has(id), "no other page sends it")
    console.losesAnswers = false
    await vi.advanceTimersByTimeAsync(6_000)
    await settle()
    assert.deepStrictEqual(console.items, [])
    assert.deepStrictEqual(now(), [])
  })

  it("sends a message once whose answer was lost", async () => {
    const { now } = follow()
    console.losesAnswers = true
    write("once")
    await settle()
    console.losesAnswers = false
    await vi.advanceTimersByTimeAsync(6_000)
    await settle()
    assert.deepStrictEqual(now(), ["once waiting"])
    assert.strictEqual(console.items.length, 1)
  })

  it("says what prevents a change", async () => {
    protocol = 4
    follow()
    const id = write("off it goes")
    await settle()
    const done = await outbox.act((store) => store.change(id, { text: "too late" }))
    assert.deepStrictEqual(done, { ok: false, message: "This message is on its way to the agent already." })
  })

  it("treats events that arrived meanwhile as newer than the response to a change", async () => {
    const { now } = follow()
    const id = write("look left")
    await settle()
    protocol = 4
    const { request } = console.api
    vi.spyOn(console.api, "request").mockImplementation(async (...call) => {
      const answer = await request(...call)
      // By the time the answer is here, the message has gone to the gateway.
      if (call[0] === "PATCH") await new Promise((resolve) => setTimeout(resolve, 5))
      return answer
    })
    const changing = outbox.act((store) => store.change(id, { mode: "steer" }))
    await settle()
    assert.isTrue((await changing).ok)
    assert.deepStrictEqual(now(), ["look left handed"])
  })

  it("asks for the lists again when the events were away", async () => {
    const { now } = follow()
    await settle()
    console.connected.set(false)
    console.isDeaf = true
    const other = open()
    other.send({ id: "meanwhile", sessionKey: KEY, text: "meanwhile", images: [], mode: "next", at: 1 })
    await settle()
    assert.deepStrictEqual(now() ?? [], [])
    console.isDeaf = false
    console.connected.set(true)
    await settle()
    assert.deepStrictEqual(now(), ["meanwhile waiting"])
    other.dispose()
  })
})
