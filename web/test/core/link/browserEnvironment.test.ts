import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { browserEnvironment } from "../../../src/core/link/browserEnvironment.ts"

/** A document as far as waking up is concerned. */
class FakeDocument extends EventTarget {
  visibilityState = "visible"
}

let page: FakeDocument
let frame: EventTarget
let woken = 0
let stop = () => {}

const pageShown = (persisted: boolean) => Object.assign(new Event("pageshow"), { persisted })

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  page = new FakeDocument()
  frame = new EventTarget()
  vi.stubGlobal("document", page)
  vi.stubGlobal("window", frame)
  vi.stubGlobal("location", { origin: "http://console.test" })
  woken = 0
  stop = browserEnvironment().onWake(() => {
    woken += 1
  })
})

afterEach(() => {
  stop()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe("waking up", () => {
  it("is notified when the network is back, even while the page is hidden", () => {
    page.visibilityState = "hidden"
    frame.dispatchEvent(new Event("online"))
    assert.strictEqual(woken, 1)
  })

  it("is notified when a page is restored from the browser's cache, not when it's loaded", () => {
    frame.dispatchEvent(pageShown(false))
    assert.strictEqual(woken, 0)
    frame.dispatchEvent(pageShown(true))
    assert.strictEqual(woken, 1)
  })

  it("is notified when a frozen or hidden page is shown again, not when it's hidden", () => {
    page.visibilityState = "hidden"
    page.dispatchEvent(new Event("visibilitychange"))
    page.dispatchEvent(new Event("resume"))
    assert.strictEqual(woken, 0)
    page.visibilityState = "visible"
    page.dispatchEvent(new Event("visibilitychange"))
    page.dispatchEvent(new Event("resume"))
    assert.strictEqual(woken, 2)
  })

  it("is notified once when the clock has jumped, as after sleep without any event", () => {
    vi.advanceTimersByTime(60_000)
    assert.strictEqual(woken, 0)
    vi.setSystemTime(Date.now() + 3_600_000)
    vi.advanceTimersByTime(2_000)
    assert.strictEqual(woken, 1)
    vi.advanceTimersByTime(60_000)
    assert.strictEqual(woken, 1)
  })

  it("isn't notified of a jump while the page is hidden: showing the page notifies it", () => {
    page.visibilityState = "hidden"
    vi.setSystemTime(Date.now() + 3_600_000)
    vi.advanceTimersByTime(2_000)
    assert.strictEqual(woken, 0)
    page.visibilityState = "visible"
    page.dispatchEvent(new Event("visibilitychange"))
    assert.strictEqual(woken, 1)
  })

  it("is notified of nothing after it was stopped", () => {
    stop()
    frame.dispatchEvent(new Event("online"))
    frame.dispatchEvent(pageShown(true))
    page.dispatchEvent(new Event("visibilitychange"))
    page.dispatchEvent(new Event("resume"))
    vi.setSystemTime(Date.now() + 3_600_000)
    vi.advanceTimersByTime(10_000)
    assert.strictEqual(woken, 0)
  })
})

describe("losing the network", () => {
  it("is notified until it's stopped", () => {
    let lost = 0
    const end = browserEnvironment().onOffline(() => {
      lost += 1
    })
    frame.dispatchEvent(new Event("offline"))
    end()
    frame.dispatchEvent(new Event("offline"))
    assert.strictEqual(lost, 1)
  })
})
