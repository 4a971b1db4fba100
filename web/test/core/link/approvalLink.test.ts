import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { createGatewayLink } from "../../../src/core/link/GatewayLink.ts"
import type { GatewayLink } from "../../../src/core/link/linkTypes.ts"
import { FakeGateway } from "../support/FakeGateway.ts"

let gateway: FakeGateway
let link: GatewayLink
const flush = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  gateway = new FakeGateway()
  link = createGatewayLink({ env: gateway.env, needsLogin: async () => false, clientVersion: "1" })
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

const failureOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "none",
    (reason: unknown) => String(reason)
  )

describe("a device that waits for its approval", () => {
  const refuse = async (requestId = "req-1") => {
    await flush()
    const { socket } = gateway
    socket.refuse(socket.last("connect"), "NOT_PAIRED", "pairing required", { code: "PAIRING_REQUIRED", requestId })
    socket.drop(1008, "pairing required")
  }

  beforeEach(() => gateway.held.add("connect"))

  it("names the request, asks again by itself, and gets in once it is approved", async () => {
    link.connect()
    await refuse()
    const phases: Array<string> = []
    link.state.subscribe(({ phase }) => phases.push(phase))
    assert.deepInclude(link.state.get(), { phase: "unapproved", requestId: "req-1" })
    assert.match(link.state.get().message ?? "", /openclaw devices approve req-1/)
    for (let round = 2; round < 70; round++) {
      await vi.advanceTimersByTimeAsync(59_999)
      assert.strictEqual(gateway.sockets.length, round - 1)
      await vi.advanceTimersByTimeAsync(1)
      await refuse()
    }
    gateway.held.clear()
    await vi.advanceTimersByTimeAsync(60_000)
    assert.strictEqual(link.state.get().phase, "ready")
    assert.deepStrictEqual([...new Set(phases)], ["unapproved", "ready"], "nothing flickers in between")
  })

  it("reports the new request when the old one is gone, and none that is no id", async () => {
    link.connect()
    await refuse()
    link.retryNow()
    await refuse("req-2")
    assert.strictEqual(link.state.get().requestId, "req-2")
    link.retryNow()
    await refuse("$(rm -rf)")
    assert.isUndefined(link.state.get().requestId)
    assert.match(link.state.get().message ?? "", /openclaw devices list/)
  })

  it("asks at once when the page is looked at again", async () => {
    link.connect()
    await refuse()
    gateway.held.clear()
    gateway.wakeUp()
    await flush()
    assert.strictEqual(link.state.get().phase, "ready")
  })

  it("wants the gateway's own refusal, not a session that may do nothing", () => {
    const opened: Array<string> = []
    link.dispose()
    const env = {
      ...gateway.env,
      openSocket: (url: string) => {
        opened.push(url)
        return { send: () => {}, close: () => {} }
      }
    }
    link = createGatewayLink({ env, needsLogin: async () => false, clientVersion: "1" })
    link.connect()
    assert.deepStrictEqual(opened, ["ws://console.test/ws?device=required"])
  })

  it("is reported for a session with no scopes too", async () => {
    link.connect()
    await flush()
    const { socket } = gateway
    socket.answer(socket.last("connect"), { type: "hello-ok", protocol: 4, auth: { scopes: [] } })
    await flush()
    assert.strictEqual(link.state.get().phase, "unapproved")
    assert.match(link.state.get().message ?? "", /openclaw devices list/)
    assert.isNull(link.hello.get())
  })

  it("and from one that names no scopes and lets nothing be read", async () => {
    gateway.held.clear()
    gateway.held.add("sessions.list")
    await ready()
    const call = failureOf(link.request("sessions.list", {}))
    const { socket } = gateway
    socket.refuse(socket.last("sessions.list"), "INVALID_REQUEST", "missing scope: operator.read")
    assert.match(await call, /doesn't allow/)
    assert.strictEqual(link.state.get().phase, "unapproved")
    assert.strictEqual(socket.closedBy, 1000)
  })

  it("a single missing scope ends nothing", async () => {
    gateway.held.clear()
    gateway.held.add("cron.add")
    await ready()
    const call = failureOf(link.request("cron.add", {}))
    gateway.socket.refuse(gateway.socket.last("cron.add"), "INVALID_REQUEST", "missing scope: operator.admin")
    assert.match(await call, /doesn't allow/)
    assert.strictEqual(link.state.get().phase, "ready")
  })

  it("a device that was removed asks anew", async () => {
    gateway.held.clear()
    await ready()
    gateway.held.add("connect")
    gateway.socket.drop(4001, "device removed")
    assert.deepInclude(link.state.get(), { phase: "waiting", message: "The gateway removed this console's device." })
    await vi.advanceTimersByTimeAsync(500)
    await refuse("req-9")
    assert.strictEqual(link.state.get().requestId, "req-9")
  })
})
