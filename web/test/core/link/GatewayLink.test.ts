import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { Schema } from "effect"
import { GatewayCallError } from "../../../src/core/link/GatewayCallError.ts"
import { createGatewayLink } from "../../../src/core/link/GatewayLink.ts"
import type { GatewayEventFrame, GatewayLink } from "../../../src/core/link/linkTypes.ts"
import { retryDelay } from "../../../src/core/link/retryDelay.ts"
import { FakeGateway } from "../support/FakeGateway.ts"

let gateway: FakeGateway
let link: GatewayLink
let needsLogin = false
const flush = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  gateway = new FakeGateway()
  needsLogin = false
  link = createGatewayLink({ env: gateway.env, needsLogin: async () => needsLogin, clientVersion: "9.9.9" })
})

afterEach(() => {
  link.dispose()
  vi.useRealTimers()
})

async function ready(): Promise<void> {
  link.connect()
  await flush()
  assert.strictEqual(link.state.get().phase, "ready")
}

const kindOf = async (call: Promise<unknown>): Promise<string> => {
  const reason = await call.then(
    () => null,
    (error: unknown) => error
  )
  return reason instanceof GatewayCallError ? reason.kind : "none"
}

describe("handshake", () => {
  it("waits for the challenge, asks once and without a token", async () => {
    gateway.autoConnect = false
    link.connect()
    await flush()
    assert.deepStrictEqual(gateway.socket.requests, [])
    gateway.held.add("connect")
    gateway.socket.challenge()
    gateway.socket.challenge()
    await flush()
    assert.strictEqual(gateway.socket.requests.length, 1)
    const { params } = gateway.socket.last("connect")
    assert.deepStrictEqual(params, {
      minProtocol: 3,
      maxProtocol: 4,
      client: { id: "gateway-client", version: "9.9.9", platform: "web", mode: "ui" },
      role: "operator",
      scopes: ["operator.admin", "operator.read", "operator.write"],
      caps: ["tool-events", "approvals"]
    })
    gateway.hello(gateway.socket)
    assert.strictEqual(link.state.get().phase, "ready")
    assert.strictEqual(link.hello.get()?.mainSessionKey, "agent:main:main")
  })

  it("sends the token a person typed", async () => {
    link.setToken("typed")
    await ready()
    assert.deepStrictEqual(gateway.socket.last("connect").params.auth, { token: "typed" })
  })

  it("says after 3 s that a gateway hasn't responded, and keeps waiting", async () => {
    gateway.autoConnect = false
    link.connect()
    await vi.advanceTimersByTimeAsync(2_999)
    assert.isNull(link.state.get().message)
    await vi.advanceTimersByTimeAsync(1)
    assert.deepStrictEqual([link.state.get().phase, link.state.get().attempt], ["connecting", 1])
    assert.match(link.state.get().message ?? "", /hasn't responded/)
    gateway.socket.challenge()
    await flush()
    assert.deepStrictEqual([link.state.get().phase, link.state.get().message], ["ready", null])
  })

  it("a gateway that says nothing is left after 20 s", async () => {
    gateway.autoConnect = false
    link.connect()
    await vi.advanceTimersByTimeAsync(20_000)
    assert.strictEqual(link.state.get().phase, "waiting")
    assert.strictEqual(gateway.sockets[0]?.closedBy, 1000)
  })

  it.each([
    ["AUTH_TOKEN_MISMATCH", {}, /GATEWAY_TOKEN/],
    ["CONTROL_UI_ORIGIN_NOT_ALLOWED", {}, /allowedOrigins/],
    ["AUTH_DEVICE_TOKEN_MISMATCH", {}, /no longer accepts this console's device/],
    ["AUTH_RATE_LIMITED", {}, /too many failed attempts/],
    ["SOMETHING_NEW", {}, /refused this console/]
  ])("a refusal with %s ends in a sentence, not in a loop", async (code, details, sentence) => {
    gateway.held.add("connect")
    link.connect()
    await flush()
    const { socket } = gateway
    socket.refuse(socket.last("connect"), "INVALID_REQUEST", "raw text of the gateway", { code, ...details })
    socket.drop(1008, "raw text of the gateway")
    assert.strictEqual(link.state.get().phase, "refused")
    assert.match(link.state.get().message ?? "", sentence)
    assert.notInclude(link.state.get().message ?? "", "raw text")
    await vi.advanceTimersByTimeAsync(120_000)
    assert.strictEqual(gateway.sockets.length, 1)
    link.retryNow()
    await flush()
    assert.strictEqual(gateway.sockets.length, 2)
  })

  it("a starting gateway is asked again after the time it names", async () => {
    gateway.held.add("connect")
    link.connect()
    await flush()
    const { socket } = gateway
    socket.refuse(socket.last("connect"), "UNAVAILABLE", "x", {}, { retryable: true, retryAfterMs: 700 })
    assert.strictEqual(link.state.get().phase, "waiting")
    await vi.advanceTimersByTimeAsync(699)
    assert.strictEqual(gateway.sockets.length, 1)
    await vi.advanceTimersByTimeAsync(1)
    assert.strictEqual(gateway.sockets.length, 2)
  })
})

describe("reconnecting", () => {
  it("backs off from 1 s to 30 s, gives up after 50 attempts, and starts anew when asked", async () => {
    gateway.autoConnect = false
    const waits: Array<number> = []
    link.connect()
    for (let attempt = 1; attempt <= 50; attempt++) {
      assert.strictEqual(link.state.get().attempt, attempt)
      gateway.socket.drop()
      await flush()
      const { nextAttemptAt } = link.state.get()
      if (nextAttemptAt !== null) {
        waits.push(nextAttemptAt - Date.now())
        await vi.advanceTimersByTimeAsync(nextAttemptAt - Date.now())
      }
    }
    assert.deepStrictEqual(waits.slice(0, 7), [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
    assert.strictEqual(waits.length, 49)
    assert.strictEqual(link.state.get().phase, "gaveUp")
    await vi.advanceTimersByTimeAsync(600_000)
    gateway.wakeUp()
    assert.strictEqual(gateway.sockets.length, 50)
    link.retryNow()
    assert.deepStrictEqual([gateway.sockets.length, link.state.get().attempt], [51, 1])
  })

  it("tries at once when the machine is online again", async () => {
    await ready()
    gateway.socket.drop()
    assert.strictEqual(gateway.sockets.length, 1)
    gateway.wakeUp()
    assert.strictEqual(gateway.sockets.length, 2)
  })

  it("a network that is lost is noticed at once, and attempts without one do not count", async () => {
    await ready()
    gateway.autoConnect = false
    gateway.goOffline()
    assert.strictEqual(gateway.sockets.length, 2)
    for (let attempt = 0; attempt < 60; attempt++) {
      gateway.socket.drop()
      assert.strictEqual(link.state.get().phase, "waiting")
      assert.strictEqual(link.state.get().message, "This device is offline.")
      await vi.advanceTimersByTimeAsync(30_000)
    }
    gateway.socket.drop()
    gateway.online = true
    gateway.autoConnect = true
    gateway.wakeUp()
    await flush()
    assert.strictEqual(link.state.get().phase, "ready")
  })

  it("a link that does not answer after a sleep is replaced within three seconds, and one that does is kept", async () => {
    await ready()
    gateway.wakeUp()
    await vi.advanceTimersByTimeAsync(3_000)
    assert.strictEqual(gateway.sockets.length, 1)
    gateway.held.add("cron.status")
    await vi.advanceTimersByTimeAsync(1)
    gateway.wakeUp()
    await vi.advanceTimersByTimeAsync(3_000)
    assert.deepStrictEqual([gateway.sockets.length, link.state.get().phase], [2, "ready"])
  })

  it("a restart is followed after half a second", async () => {
    await ready()
    gateway.socket.drop(1012, "service restart")
    assert.strictEqual(link.state.get().message, "The gateway is shutting down or restarting.")
    await vi.advanceTimersByTimeAsync(500)
    assert.strictEqual(link.state.get().phase, "ready")
  })

  it("a link that breaks at once keeps backing off", async () => {
    link.connect()
    const waits: Array<number> = []
    for (let round = 0; round < 4; round++) {
      await flush()
      gateway.socket.drop()
      waits.push((link.state.get().nextAttemptAt ?? 0) - Date.now())
      await vi.advanceTimersByTimeAsync(waits.at(-1) ?? 0)
    }
    assert.deepStrictEqual(waits, [1_000, 2_000, 4_000, 8_000])
  })

  it("silence of two tick intervals is a dead link", async () => {
    await ready()
    await vi.advanceTimersByTimeAsync(45_000)
    gateway.socket.event("tick", {})
    await vi.advanceTimersByTimeAsync(60_000)
    assert.strictEqual(gateway.sockets.length, 1)
    await vi.advanceTimersByTimeAsync(30_000)
    assert.strictEqual(gateway.sockets.length, 2)
    assert.strictEqual(gateway.sockets[0]?.closedBy, 1000)
  })

  it("an upgrade refused for want of a login asks for one and does not loop", async () => {
    needsLogin = true
    gateway.autoConnect = false
    link.connect()
    gateway.socket.drop()
    await flush()
    assert.strictEqual(link.state.get().phase, "unauthorized")
    await vi.advanceTimersByTimeAsync(120_000)
    gateway.wakeUp()
    assert.strictEqual(gateway.sockets.length, 1)
  })

  it("a login that was asked for by an old attempt does not stop a new one", async () => {
    let answer = (_: boolean) => {}
    link.dispose()
    link = createGatewayLink({
      env: gateway.env,
      clientVersion: "1",
      needsLogin: () =>
        new Promise((resolve) => {
          answer = resolve
        })
    })
    gateway.autoConnect = false
    link.connect()
    gateway.socket.drop()
    gateway.autoConnect = true
    link.retryNow()
    await flush()
    answer(true)
    await flush()
    assert.strictEqual(link.state.get().phase, "ready")
  })

  it.prop("delays stay from 1 s to 30 s", [Schema.Int, Schema.Finite], ([n, random]) => {
    const delay = retryDelay((Math.abs(n) % 60) + 1, Math.abs(random) % 1)
    assert.isTrue(delay >= 1_000 && delay <= 30_000)
  })
})

describe("races of sockets", () => {
  it("frames, a challenge and the close of an old socket mean nothing to the new one", async () => {
    await ready()
    const heard: Array<GatewayEventFrame> = []
    link.onEvent((frame) => heard.push(frame))
    const old = gateway.socket
    old.drop()
    await vi.advanceTimersByTimeAsync(1_000)
    assert.strictEqual(link.state.get().phase, "ready")
    const before = gateway.socket.requests.length
    old.event("chat", { state: "final" })
    old.challenge()
    old.drop(1006)
    assert.deepStrictEqual(heard, [])
    assert.strictEqual(gateway.socket.requests.length, before)
    assert.strictEqual(link.state.get().phase, "ready")
    assert.strictEqual(gateway.sockets.length, 2)
  })

  it("an answer on an old socket does not settle a call of the new one", async () => {
    gateway.held.add("slow")
    await ready()
    const first = link.request("slow", {})
    const old = gateway.socket
    const oldRequest = old.last("slow")
    const broken = kindOf(first)
    old.drop()
    assert.strictEqual(await broken, "disconnected")
    await vi.advanceTimersByTimeAsync(1_000)
    const second = link.request("slow", {})
    old.answer(oldRequest, "stale")
    old.answer(gateway.socket.last("slow"), "stale")
    gateway.socket.answer(gateway.socket.last("slow"), "fresh")
    assert.strictEqual(await second, "fresh")
  })
})

describe("calls", () => {
  it("are refused while there is no link, and when they are too large", async () => {
    assert.strictEqual(await kindOf(link.request("x", {})), "offline")
    await ready()
    assert.strictEqual(await kindOf(link.request("x", { text: "y".repeat(1_000_001) })), "tooLarge")
  })

  it("end after their limit, and a late answer changes nothing", async () => {
    gateway.held.add("slow")
    await ready()
    const call = kindOf(link.request("slow", {}, { timeoutMs: 2_000 }))
    await vi.advanceTimersByTimeAsync(2_000)
    assert.strictEqual(await call, "timeout")
    gateway.socket.answer(gateway.socket.last("slow"), "late")
  })

  it("carry a sentence, never the gateway's text", async () => {
    gateway.held.add("sessions.patch")
    await ready()
    const call = link.request("sessions.patch", {}).then(
      () => null,
      (error: unknown) => error
    )
    gateway.socket.refuse(gateway.socket.last("sessions.patch"), "INVALID_REQUEST", "label already in use: /home/x")
    const error = await call
    assert.instanceOf(error, GatewayCallError)
    assert.match(String(error), /already has that name/)
    assert.notInclude(String(error), "/home")
  })

  it("survive frames that make no sense", async () => {
    await ready()
    for (const odd of [
      "",
      "null",
      "[]",
      "{",
      '{"type":"res"}',
      '{"type":"event","event":5}',
      '{"type":"res","id":"nobody","ok":true}'
    ])
      gateway.socket.deliver(odd)
    assert.strictEqual(link.state.get().phase, "ready")
  })

  it("a jump of the event numbers is reported", async () => {
    await ready()
    let gaps = 0
    link.onGap(() => gaps++)
    gateway.socket.event("tick", {}, 4)
    gateway.socket.event("tick", {}, 5)
    gateway.socket.event("sessions.changed", {})
    gateway.socket.event("tick", {}, 6)
    assert.strictEqual(gaps, 0)
    gateway.socket.event("tick", {}, 9)
    gateway.socket.event("tick", {}, 2)
    assert.strictEqual(gaps, 2)
  })
})
