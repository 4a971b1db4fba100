import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import type { EventName } from "../../../../src/contract/ConsoleEvent.ts"
import { createObservable } from "../../../src/core/common/Observable.ts"
import { createDrafts } from "../../../src/core/composer/DraftStore.ts"
import { createDraftSync, type DraftSync } from "../../../src/core/composer/DraftSync.ts"
import { createApiClient } from "../../../src/core/link/ApiClient.ts"
import type { EventListener } from "../../../src/core/link/apiTypes.ts"
import { memoryStorage } from "../../../src/core/link/browserEnvironment.ts"
import { FakeGateway } from "../support/FakeGateway.ts"

const KEY = "agent:main:a"

interface Kept {
  readonly text: string
  readonly updatedAt: number
  readonly deviceId: string
}

/** The server's rule: what arrives last counts, by the server's own time. */
class Server {
  kept: Kept | null = null
  time = 1_000_000
  readonly puts: Array<string> = []
  readonly listeners = new Set<EventListener>()

  put(text: string, deviceId: string): number {
    this.puts.push(text)
    if (this.kept?.text === text) return this.kept.updatedAt
    this.time += 1
    this.kept = { text, deviceId, updatedAt: this.time }
    const data = { sessionKey: KEY, updatedAt: this.time }
    for (const listener of this.listeners) listener({ event: "draft.changed", data, ts: this.time })
    return this.time
  }
}

/** A device with its own clock, storage and connection. */
class Device {
  readonly storage = memoryStorage()
  readonly connected = createObservable(true)
  /** How the console can be reached. */
  way: "up" | "away" | "refuses" | "limits" = "up"
  requests = 0
  held = false
  private readonly server: Server
  private readonly name: string
  private readonly ahead: number
  drafts = createDrafts(this.storage)
  sync: DraftSync

  constructor(server: Server, name: string, ahead = 0) {
    this.server = server
    this.name = name
    this.ahead = ahead
    this.sync = this.open()
  }

  private open(): DraftSync {
    const { connected, drafts, server, storage } = this
    const api = createApiClient({ ...new FakeGateway().env, fetch: this.fetch })
    const on = <Name extends EventName>(_: Name, listener: EventListener<Name>) => {
      const heard: EventListener<Name> = (event) => {
        if (this.way === "up") listener(event)
      }
      server.listeners.add(heard)
      return () => server.listeners.delete(heard)
    }
    const field = { show: (text: string) => drafts.set(KEY, text), isHeld: () => this.held }
    const now = () => Date.now() + this.ahead
    const deviceId = `${this.name}.1`
    return createDraftSync({ api, events: { connected, on }, drafts, storage, sessionKey: KEY, deviceId, field, now })
  }

  private fetch = async (_: string, init: RequestInit): Promise<Response> => {
    this.requests += 1
    if (this.way === "away") throw new Error("away")
    if (this.way === "refuses") return Response.json({ error: "no" }, { status: 400 })
    if (this.way === "limits") return Response.json({ error: "no" }, { status: 429, headers: { "retry-after": "30" } })
    const { kept } = this.server
    if (init.method === "GET") return Response.json({ draft: kept?.text ? kept : null, updatedAt: kept?.updatedAt })
    const { text, deviceId } = JSON.parse(String(init.body))
    return Response.json({ updatedAt: this.server.put(text, deviceId) })
  }

  /** The page goes without a word, and comes back. */
  reload(): void {
    this.stop()
    this.drafts = createDrafts(this.storage)
    this.sync = this.open()
  }
  stop(): void {
    const before = this.way
    this.way = "away"
    this.sync.dispose()
    this.way = before
  }
  type(text: string): void {
    this.drafts.set(KEY, text)
  }
  get text(): string {
    return this.drafts.get(KEY)
  }
  back(): void {
    this.way = "up"
    this.connected.set(false)
    this.connected.set(true)
  }
}

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000)

describe("the draft of a session on several devices", () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Two devices whose clocks are a day apart. */
  const makeWorld = async () => {
    const server = new Server()
    const desk = new Device(server, "desk")
    const phone = new Device(server, "phone", -86_400_000)
    await pass(1)
    return { server, desk, phone }
  }

  it("goes to the server after a pause, not with every letter, and appears on the other device with an undo", async () => {
    const { desk, phone, server } = await makeWorld()
    for (const text of ["h", "he", "hel"]) {
      desk.type(text)
      await pass(0.3)
    }
    assert.deepStrictEqual(server.puts, [])
    await pass(1)
    assert.deepStrictEqual(server.puts, ["hel"])
    assert.strictEqual(phone.text, "hel")
    assert.deepStrictEqual(phone.sync.note.get(), { kind: "taken", from: "device", other: "" })
    assert.isNull(desk.sync.note.get())
    assert.deepStrictEqual(server.puts, ["hel"], "what came from elsewhere isn't written again")
  })

  it("is written at most every two and a half seconds while somebody types on and on", async () => {
    const { desk, server } = await makeWorld()
    for (let letter = 0; letter < 600; letter += 1) {
      desk.type("x".repeat(letter + 1))
      await pass(0.1)
    }
    assert.isAbove(server.puts.length, 15)
    assert.isAtMost(server.puts.length, 24)
  })

  it("is cleared everywhere when it's sent, at once, without a word where it wasn't written", async () => {
    const { desk, phone, server } = await makeWorld()
    desk.type("for both")
    await pass(2)
    desk.type("")
    await pass(0.1)
    assert.deepStrictEqual(server.puts, ["for both", ""])
    assert.strictEqual(phone.text, "")
    assert.isNull(phone.sync.note.get())
  })

  it("that was written here and sent elsewhere can be had back", async () => {
    const { desk, phone } = await makeWorld()
    desk.type("begun here")
    await pass(10)
    phone.type("")
    await pass(1)
    assert.strictEqual(desk.text, "")
    assert.deepStrictEqual(desk.sync.note.get(), { kind: "cleared", from: "device", other: "begun here" })
    desk.sync.useOther()
    await pass(2)
    assert.strictEqual(desk.text, "begun here")
    assert.strictEqual(phone.text, "begun here")
    assert.isNull(desk.sync.note.get())
  })

  it("belongs to the device that is typing, and to the last one when both are", async () => {
    const { desk, phone } = await makeWorld()
    phone.type("from the phone")
    await pass(0.9)
    desk.type("from the desk")
    await pass(0.5)
    assert.strictEqual(desk.text, "from the desk")
    assert.deepStrictEqual(desk.sync.note.get(), { kind: "kept", from: "device", other: "from the phone" })
    await pass(10)
    assert.strictEqual(desk.text, "from the desk")
    assert.strictEqual(phone.text, "from the desk")
    assert.deepStrictEqual(phone.sync.note.get(), { kind: "taken", from: "device", other: "from the phone" })
    phone.sync.useOther()
    await pass(10)
    assert.strictEqual(desk.text, "from the phone")
    assert.deepStrictEqual(phone.sync.note.get(), { kind: "kept", from: "device", other: "from the desk" })
    phone.sync.useOther()
    assert.strictEqual(phone.text, "from the desk")
    assert.deepStrictEqual(phone.sync.note.get(), { kind: "taken", from: "device", other: "from the phone" })
  })

  it("survives a reload, also one that came before it was saved", async () => {
    const { desk, phone, server } = await makeWorld()
    desk.type("typed and gone")
    desk.reload()
    assert.strictEqual(desk.text, "typed and gone")
    await pass(3)
    assert.deepStrictEqual(server.puts, ["typed and gone"])
    assert.strictEqual(phone.text, "typed and gone")
    desk.reload()
    await pass(3)
    assert.strictEqual(server.puts.length, 1)
    assert.isNull(desk.sync.note.get())
  })

  it("is taken from the server by a device that was away and wrote nothing, and written by one that did", async () => {
    const { desk, phone, server } = await makeWorld()
    desk.way = "away"
    phone.type("meanwhile")
    await pass(10)
    assert.strictEqual(desk.text, "")
    desk.back()
    await pass(1)
    assert.strictEqual(desk.text, "meanwhile")
    desk.way = "away"
    desk.type("written without a connection")
    await pass(60)
    phone.type("meanwhile, more")
    await pass(10)
    desk.back()
    await pass(5)
    assert.strictEqual(server.kept?.text, "written without a connection")
    assert.strictEqual(phone.text, "written without a connection")
    assert.deepInclude(phone.sync.note.get(), { kind: "taken", other: "meanwhile, more" })
    assert.deepInclude(desk.sync.note.get(), { kind: "kept", other: "meanwhile, more" })
  })

  it("that was sent without a connection doesn't take the other device's newer one along", async () => {
    const { desk, phone } = await makeWorld()
    desk.type("to be sent")
    await pass(10)
    desk.way = "away"
    desk.type("")
    await pass(1)
    phone.type("something else")
    await pass(10)
    desk.back()
    await pass(5)
    assert.strictEqual(phone.text, "something else")
    assert.strictEqual(desk.text, "something else")
  })

  /** The browser keeps the texts of other sessions instead. */
  const forget = (device: Device) => {
    for (let session = 0; session < 60; session += 1) device.drafts.set(`agent:main:${session}`, "x")
  }

  it("comes back from the server where the browser had no room for it", async () => {
    const { desk, phone, server } = await makeWorld()
    desk.type("kept words")
    await pass(4)
    forget(desk)
    desk.reload()
    assert.strictEqual(desk.text, "")
    await pass(10)
    assert.strictEqual(desk.text, "kept words")
    assert.isNull(desk.sync.note.get(), "nobody else wrote")
    assert.deepStrictEqual(server.puts, ["kept words"])
    assert.strictEqual(phone.text, "kept words")
  })

  it("that the browser had no room for isn't removed by a page without a connection", async () => {
    const { desk, server } = await makeWorld()
    desk.type("kept words")
    await pass(4)
    forget(desk)
    desk.way = "away"
    desk.reload()
    await pass(60)
    desk.back()
    await pass(15)
    assert.strictEqual(desk.text, "kept words")
    assert.deepStrictEqual(server.puts, ["kept words"])
  })

  it("that the browser had no room for can be had when something else was typed before it was there", async () => {
    const { desk, server } = await makeWorld()
    desk.type("kept words")
    await pass(4)
    forget(desk)
    desk.way = "away"
    desk.reload()
    desk.type("new words")
    await pass(1)
    desk.back()
    await pass(15)
    assert.deepStrictEqual([desk.text, server.kept?.text], ["new words", "new words"])
    assert.deepStrictEqual(desk.sync.note.get(), { kind: "kept", from: "tab", other: "kept words" })
  })

  it("that somebody emptied without a connection is emptied on the server after a reload", async () => {
    const { desk, server } = await makeWorld()
    desk.type("sent in the meantime")
    await pass(4)
    desk.way = "away"
    desk.type("")
    await pass(1)
    desk.reload()
    await pass(1)
    desk.back()
    await pass(15)
    assert.deepStrictEqual([desk.text, server.kept?.text], ["", ""])
  })

  it("neither goes nor comes while an earlier message is edited in its place", async () => {
    const { desk, phone, server } = await makeWorld()
    desk.held = true
    desk.type("an earlier message")
    phone.type("a draft")
    await pass(10)
    assert.deepStrictEqual(server.puts, ["a draft"])
    assert.strictEqual(desk.text, "an earlier message")
    desk.type("")
    desk.held = false
    await pass(2)
    assert.strictEqual(desk.text, "a draft")
  })

  it("is tried again after a while, keeps to limits, and is left alone once it was refused", async () => {
    const { desk, server } = await makeWorld()
    desk.way = "limits"
    desk.type("one")
    await pass(5)
    const { requests } = desk
    await pass(20)
    assert.strictEqual(desk.requests, requests)
    desk.way = "refuses"
    await pass(30)
    assert.strictEqual(desk.requests, requests + 1)
    await pass(600)
    assert.strictEqual(desk.requests, requests + 1)
    desk.way = "away"
    desk.type("two")
    await pass(5)
    desk.way = "up"
    await pass(15)
    assert.deepStrictEqual(server.puts, ["two"])
  })

  it("that is longer than a message can be stays here, and goes once it's shorter", async () => {
    const { desk, phone, server } = await makeWorld()
    const { requests } = desk
    desk.type("x".repeat(200_001))
    await pass(60)
    desk.sync.flush()
    await pass(1)
    assert.deepStrictEqual([desk.requests, server.puts, phone.text], [requests, [], ""])
    assert.strictEqual(desk.text.length, 200_001)
    desk.type("short")
    await pass(5)
    assert.strictEqual(phone.text, "short")
  })

  it("is saved at once when the page is left", async () => {
    const { desk, server } = await makeWorld()
    desk.type("on the way out")
    desk.sync.flush()
    await pass(0)
    assert.deepStrictEqual(server.puts, ["on the way out"])
    desk.sync.flush()
    await pass(5)
    assert.strictEqual(server.puts.length, 1)
  })
})
