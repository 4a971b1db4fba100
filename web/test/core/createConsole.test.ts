import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { createConsole } from "../../src/core/createConsole.ts"
import type { Console } from "../../src/core/types.ts"
import { FakeGateway } from "./support/FakeGateway.ts"

let gateway: FakeGateway
let app: Console
/** What the console's server answers, by path. */
let answers: Record<string, () => Response>
const settle = () => vi.advanceTimersByTimeAsync(20)
const json = (body: object, status = 200) => new Response(JSON.stringify(body), { status })

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  gateway = new FakeGateway()
  answers = {
    "/api/auth/status": () => json({ authEnabled: true, authenticated: true }),
    "/api/connect-defaults": () => json({ wsUrl: "ws://x", token: null, agentName: "Ada", serverSideAuth: true })
  }
  gateway.fetch = async (url) => {
    const answer = answers[new URL(url).pathname]
    if (answer === undefined) throw new TypeError("offline")
    return answer()
  }
  app = createConsole(gateway.env)
})

afterEach(() => {
  app.dispose()
  vi.useRealTimers()
})

describe("starting", () => {
  it("does nothing before it is asked, then connects everything", async () => {
    await settle()
    assert.strictEqual(gateway.sockets.length, 0)
    await app.start()
    await settle()
    assert.strictEqual(app.auth.get(), "signedIn")
    assert.strictEqual(app.link.state.get().phase, "ready")
    assert.strictEqual(app.connectDefaults.get()?.agentName, "Ada")
    assert.strictEqual(app.sessions.state.get().status, "ready")
  })

  it("waits for a server that cannot be reached", async () => {
    const status = answers["/api/auth/status"]
    delete answers["/api/auth/status"]
    await app.start()
    assert.strictEqual(app.auth.get(), "offline")
    if (status !== undefined) answers["/api/auth/status"] = status
    await vi.advanceTimersByTimeAsync(5_020)
    assert.strictEqual(app.auth.get(), "signedIn")
  })

  it("asks for a login where one is wanted, and connects after it", async () => {
    answers["/api/auth/status"] = () => json({ authEnabled: true, authenticated: false })
    await app.start()
    assert.deepStrictEqual([app.auth.get(), gateway.sockets.length], ["required", 0])
    answers["/api/auth/login"] = () => json({ error: "Invalid password" }, 401)
    assert.deepStrictEqual(await app.login("x"), { ok: false, message: "That password is not right." })
    answers["/api/auth/login"] = () => json({ ok: true })
    assert.isTrue((await app.login("right")).ok)
    await settle()
    assert.deepStrictEqual([app.auth.get(), app.link.state.get().phase], ["signedIn", "ready"])
  })
})

describe("a login that ends", () => {
  it("closes the link once, and what was on screen comes back after the next login", async () => {
    await app.start()
    await settle()
    const chat = app.chat("agent:main:main")
    await settle()
    answers["/api/server-info"] = () => json({ error: "Authentication required" }, 401)
    await app.api.serverInfo()
    assert.deepStrictEqual([app.auth.get(), app.link.state.get().phase], ["required", "closed"])
    answers["/api/auth/login"] = () => json({ ok: true })
    await app.login("right")
    await settle()
    assert.strictEqual(app.chat("agent:main:main"), chat)
    assert.strictEqual(chat.state.get().status, "ready")
    assert.strictEqual(gateway.socket.requests.filter(({ method }) => method === "chat.history").length, 1)
  })

  it("leaves nothing behind after a logout", async () => {
    await app.start()
    await settle()
    const chat = app.chat("agent:main:main")
    answers["/api/auth/logout"] = () => json({ ok: true })
    await app.logout()
    assert.strictEqual(app.auth.get(), "required")
    assert.notStrictEqual(app.chat("agent:main:main"), chat)
  })
})

describe("chats", () => {
  it("are made once, and the ten used last are kept", async () => {
    await app.start()
    await settle()
    const first = app.chat("agent:main:0")
    for (let index = 1; index < 10; index++) app.chat(`agent:main:${index}`)
    assert.strictEqual(app.chat("agent:main:0"), first)
    app.chat("agent:main:10")
    assert.strictEqual(app.chat("agent:main:0"), first)
    await settle()
    const reads = () => gateway.socket.requests.filter(({ method }) => method === "chat.history").length
    const before = reads()
    gateway.socket.event("sessions.changed", { sessionKey: "agent:main:1", reason: "reset" })
    await vi.advanceTimersByTimeAsync(200)
    assert.strictEqual(reads(), before, "the one used longest ago listens no more")
  })
})
