import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import type { Client } from "../../../src/core/client/Client.ts"
import { createClient } from "../../../src/core/client/createClient.ts"
import { pendingRequest } from "../../../src/core/link/gatewayStatus.ts"
import { FakeGateway } from "../support/FakeGateway.ts"

let gateway: FakeGateway
let app: Client
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
  app = createClient(gateway.env)
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
    await vi.dynamicImportSettled()
    await settle()
    assert.strictEqual(app.auth.get(), "signedIn")
    assert.strictEqual(app.link.state.get().phase, "ready")
    assert.strictEqual(app.connectDefaults.get()?.agentName, "Ada")
    // No marks arrive here, so the list is shown without them after a moment.
    await vi.advanceTimersByTimeAsync(2_000)
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
    assert.deepStrictEqual(await app.login("x"), { ok: false, message: "That password isn't right." })
    answers["/api/auth/login"] = () => {
      answers["/api/auth/status"] = () => json({ authEnabled: true, authenticated: true })
      return json({ ok: true })
    }
    assert.isTrue((await app.login("right")).ok)
    await settle()
    assert.deepStrictEqual([app.auth.get(), app.link.state.get().phase], ["signedIn", "ready"])
  })

  it("shows the line that allows an unknown address", async () => {
    answers["/api/auth/status"] = () => json({ authEnabled: true, authenticated: false })
    const details = "a page of another site requested this; add that site's address to ALLOWED_ORIGINS to allow it"
    answers["/api/auth/login"] = () => json({ error: "forbidden", details }, 403)
    await app.start()
    const done = await app.login("right")
    assert.strictEqual(done.ok ? "" : done.setting, "ALLOWED_ORIGINS=http://console.test")
    assert.match(done.ok ? "" : done.message, /^The console doesn't know this address yet/)
  })

  it.each([
    [
      "the console, which knows the address",
      { "x-console-build": "b", "access-control-allow-origin": "http://console.test" },
      false
    ],
    ["the console, which doesn't", { "x-console-build": "b" }, true],
    ["somebody else", {}, false]
  ])("knows before anybody signs in whether that can work, from the answer of %s", async (_, headers, isRefused) => {
    answers["/api/auth/login"] = () => new Response(null, { status: 204, headers: { ...headers } })
    const refused = await app.refusedAddress()
    assert.strictEqual(refused?.setting, isRefused ? "ALLOWED_ORIGINS=http://console.test" : undefined)
    delete answers["/api/auth/login"]
    assert.isNull(await app.refusedAddress())
  })

  it("says so when the browser doesn't keep the sign-in", async () => {
    answers["/api/auth/status"] = () => json({ authEnabled: true, authenticated: false })
    answers["/api/auth/login"] = () => json({ ok: true })
    await app.start()
    const done = await app.login("right")
    assert.match(done.ok ? "" : done.message, /didn't keep the sign-in/)
    assert.deepStrictEqual([app.auth.get(), gateway.sockets.length], ["required", 0])
  })
})

/** What proxies and guest networks answer in a console's place. */
const BETWEEN: ReadonlyArray<readonly [string, () => Response]> = [
  ["a sign-in page", () => page("<!doctype html>Sign in", 200)],
  ["a page for whoever isn't signed in", () => page("<h1>Unauthorized</h1>", 401)],
  ["a 401 of its own", () => json({ error: "unauthorized" }, 401)],
  ["an empty 401", () => new Response(null, { status: 401 })],
  ["a 404 of its own", () => new Response("404 page not found", { status: 404 })],
  ["a page for whoever may not", () => page("<h1>Forbidden</h1>", 403)],
  ["a redirect", () => Object.defineProperty(new Response(), "type", { value: "opaqueredirect" })]
]
const page = (html: string, status: number) =>
  new Response(html, { status, headers: { "content-type": "text/html; charset=utf-8" } })

describe("something that answers in the console's place", () => {
  it.each(BETWEEN)("is named, signs nobody out, and is forgotten once it's gone: %s", async (_name, answer) => {
    const status = answers["/api/auth/status"] ?? answer
    await app.start()
    await settle()
    for (const path of ["/api/auth/status", "/api/connect-defaults", "/api/server-info"]) answers[path] = answer
    const failed = await app.api.serverInfo()
    assert.strictEqual(failed.ok ? "" : failed.error.kind, "foreign")
    await settle()
    assert.deepStrictEqual([app.intercepted.get(), app.auth.get()], [true, "signedIn"])
    const before = gateway.sockets.length
    gateway.socket.drop()
    answers["/api/auth/status"] = status
    await vi.advanceTimersByTimeAsync(6_000)
    assert.isFalse(app.intercepted.get())
    assert.deepStrictEqual([app.link.state.get().phase, gateway.sockets.length], ["ready", before + 1])
  })

  it.each(BETWEEN)("is distinguished at the start from a console that is away: %s", async (_name, answer) => {
    const status = answers["/api/auth/status"] ?? answer
    answers["/api/auth/status"] = answer
    await app.start()
    assert.deepStrictEqual([app.intercepted.get(), app.auth.get()], [true, "offline"])
    answers["/api/auth/status"] = status
    await vi.advanceTimersByTimeAsync(6_000)
    assert.deepStrictEqual([app.intercepted.get(), app.auth.get()], [false, "signedIn"])
  })

  it.each([502, 503, 504, 522])("isn't blamed for a console that is away: %i", async (status) => {
    answers["/api/auth/status"] = () => page("<h1>Bad Gateway</h1>", status)
    await app.start()
    assert.deepStrictEqual([app.intercepted.get(), app.auth.get()], [false, "offline"])
  })

  it("isn't blamed while it only refuses one request", async () => {
    await app.start()
    await settle()
    answers["/api/server-info"] = () => page("<h1>Blocked</h1>", 403)
    await app.api.serverInfo()
    await settle()
    assert.isFalse(app.intercepted.get())
  })

  it("doesn't hide that the sign-in has ended meanwhile", async () => {
    await app.start()
    await settle()
    answers["/api/auth/status"] = () => page("Sign in", 200)
    answers["/api/server-info"] = () => page("Sign in", 200)
    await app.api.serverInfo()
    await settle()
    answers["/api/auth/status"] = () => json({ authEnabled: true, authenticated: false })
    await vi.advanceTimersByTimeAsync(6_000)
    assert.deepStrictEqual([app.intercepted.get(), app.auth.get()], [false, "required"])
  })

  it("isn't taken for a wrong password", async () => {
    answers["/api/auth/status"] = () => json({ authEnabled: true, authenticated: false })
    await app.start()
    answers["/api/auth/login"] = () => page("<h1>Unauthorized</h1>", 401)
    const done = await app.login("right")
    assert.match(done.ok ? "" : done.message, /^Something between this browser and the console answers/)
  })
})

describe("what the console's server says of its own link", () => {
  let tell: (data: object) => void

  beforeEach(() => {
    app.dispose()
    gateway.live.isThere = true
    tell = (data) => gateway.live.tell("status.changed", data)
    app = createClient(gateway.env)
  })

  it("is told a typed token once the gateway has taken it, and every request says it from then on", async () => {
    const headers: Array<unknown> = []
    const fetch = gateway.fetch
    gateway.fetch = (url, init) => {
      headers.push(Object(init.headers)["x-gateway-token"])
      return fetch(url, init)
    }
    await app.start()
    await settle()
    gateway.held.add("connect")
    app.link.setToken("typed")
    app.link.retryNow()
    await settle()
    await app.api.serverInfo()
    assert.notProperty(gateway.live.socket.last("hello"), "gatewayToken")
    gateway.socket.refuse(gateway.socket.last("connect"), "x", "x", { code: "AUTH_TOKEN_MISMATCH" })
    gateway.socket.drop(1008)
    gateway.held.clear()
    assert.notInclude(headers, "typed")
    app.link.retryNow()
    await settle()
    assert.strictEqual(gateway.live.socket.last("hello").gatewayToken, "typed")
    await app.api.serverInfo()
    assert.strictEqual(headers.at(-1), "typed")
  })

  const unapproved = { gateway: "ok", since: 1, reason: "Not approved.", approval: { requestId: "r-1" } }
  const ok = { gateway: "ok", since: 1 }
  const phase = () => app.link.state.get().phase
  const refuseAs = async (details: object) => {
    gateway.held.add("connect")
    await app.start()
    await settle()
    gateway.socket.refuse(gateway.socket.last("connect"), "NOT_PAIRED", "x", details)
    gateway.socket.drop(1008)
    gateway.held.clear()
  }

  it("lets an approved page in at once, and shows the request until then", async () => {
    await refuseAs({ code: "PAIRING_REQUIRED", requestId: "r-0" })
    tell(unapproved)
    await settle()
    assert.deepStrictEqual([phase(), gateway.sockets.length], ["unapproved", 1])
    assert.strictEqual(pendingRequest(app.link.state.get(), app.gatewayStatus.get()), "r-1")
    tell(ok)
    await settle()
    assert.strictEqual(phase(), "ready")
    assert.isNull(pendingRequest(app.link.state.get(), app.gatewayStatus.get()))
  })

  it("wakes a page that waits, and one that gave up", async () => {
    gateway.autoConnect = false
    await app.start()
    await settle()
    gateway.socket.drop()
    tell({ gateway: "unreachable", since: 1, reason: "No gateway is listening." })
    assert.deepStrictEqual([phase(), app.gatewayStatus.get()?.reason], ["waiting", "No gateway is listening."])
    tell(unapproved)
    assert.deepStrictEqual([phase(), gateway.sockets.length], ["connecting", 2])
    for (let attempt = 1; phase() !== "gaveUp"; attempt++) {
      assert.isBelow(attempt, 60)
      gateway.socket.drop()
      await vi.advanceTimersByTimeAsync(40_000)
    }
    const tried = gateway.sockets.length
    gateway.autoConnect = true
    tell(ok)
    await settle()
    assert.deepStrictEqual([phase(), gateway.sockets.length], ["ready", tried + 1])
    gateway.socket.drop()
    tell(ok)
    assert.deepStrictEqual(
      [phase(), gateway.sockets.length],
      ["waiting", tried + 1],
      "what is known already is no news"
    )
  })

  it("tries once more after a refusal when the server got in, and not when it is refused as well", async () => {
    await refuseAs({ code: "AUTH_TOKEN_MISMATCH" })
    tell({ gateway: "ok", since: 1, reason: "The clocks differ." })
    await settle()
    assert.strictEqual(phase(), "refused")
    tell(ok)
    await settle()
    assert.strictEqual(phase(), "ready")
  })

  it("disturbs nobody who is connected, and the same twice changes nothing", async () => {
    await app.start()
    await settle()
    tell(ok)
    const first = app.gatewayStatus.get()
    tell(ok)
    await settle()
    assert.strictEqual(app.gatewayStatus.get(), first)
    assert.strictEqual(gateway.sockets.length, 1)
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
    assert.isNull(app.signedOutNote.get())
    assert.notStrictEqual(app.chat("agent:main:main"), chat)
  })

  it("says that a logout which couldn't be saved only lasts until a restart, until the next one", async () => {
    await app.start()
    await settle()
    answers["/api/auth/logout"] = () => json({ ok: true, details: "signed out, but only until the console restarts" })
    await app.logout()
    assert.include(app.signedOutNote.get() ?? "", "only lasts until the console restarts")
    answers["/api/auth/login"] = () => json({ ok: true })
    await app.login("right")
    assert.isNull(app.signedOutNote.get())
  })
})

describe("chats", () => {
  it("begin all the same when the gateway refuses the name that was chosen, and say why", async () => {
    await app.start()
    await vi.dynamicImportSettled()
    await settle()
    gateway.held.add("sessions.patch")
    const key = app.sessions.create()
    await app.sessions.rename(key, "Trip")
    app.chat(key).send("hello")
    await settle()
    const { socket } = gateway
    socket.refuse(socket.last("sessions.patch"), "INVALID_REQUEST", "label already in use: Trip")
    await settle()
    assert.strictEqual(app.refusal.get(), "Another session already has that name. Choose a different one.")
  })

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
