import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { createGatewayLink } from "../../../src/core/link/GatewayLink.ts"
import type { GatewayLink } from "../../../src/core/link/linkTypes.ts"
import { FakeGateway } from "../support/FakeGateway.ts"

let gateway: FakeGateway
let link: GatewayLink
const flush = () => vi.advanceTimersByTimeAsync(0)

describe("through a proxy that doesn't forward upgrades", () => {
  let isConsoleThere = true
  const NO_UPGRADE = /^The console can be reached, but its live connection can't: a proxy/

  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000_000 })
    gateway = new FakeGateway()
    isConsoleThere = true
    link = createGatewayLink({
      env: gateway.env,
      clientVersion: "1",
      needsLogin: () => (isConsoleThere ? Promise.resolve(false) : Promise.reject(new Error("offline")))
    })
    gateway.autoConnect = false
    link.connect()
  })

  afterEach(() => {
    link.dispose()
    vi.useRealTimers()
  })

  const fail = async (opened: boolean) => {
    gateway.socket.drop(1006, "", opened)
    await flush()
  }

  it("names it from the second attempt on, between the attempts too, and no longer once it connects", async () => {
    await fail(false)
    vi.advanceTimersByTime(2_000)
    await fail(false)
    const said: Array<string | null> = []
    link.state.subscribe(({ message }) => said.push(message))
    assert.match(link.state.get().message ?? "", NO_UPGRADE)
    vi.advanceTimersByTime(4_000)
    await fail(false)
    assert.isAbove(said.length, 1)
    for (const message of said) assert.match(message ?? "", NO_UPGRADE)
    gateway.autoConnect = true
    await vi.advanceTimersByTimeAsync(20_000)
    assert.deepStrictEqual([link.state.get().phase, link.state.get().message], ["ready", null])
  })

  it.each([
    ["the console is away", false, false],
    ["the upgrade worked and the gateway is away", true, true]
  ])("doesn't when %s", async (_what, isThere, opened) => {
    isConsoleThere = isThere
    await fail(opened)
    vi.advanceTimersByTime(2_000)
    await fail(opened)
    assert.strictEqual(link.state.get().message, "Can't reach the gateway.")
  })

  it("no longer says so when the console goes away, too", async () => {
    await fail(false)
    vi.advanceTimersByTime(2_000)
    await fail(false)
    isConsoleThere = false
    vi.advanceTimersByTime(4_000)
    await fail(false)
    assert.strictEqual(link.state.get().message, "Can't reach the gateway.")
  })
})
