import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import type { Channel, Environment, EventSourceHandlers } from "../../../src/core/link/Environment.ts"
import { createEventStream } from "../../../src/core/link/EventStream.ts"
import { FakeGateway } from "../support/FakeGateway.ts"

/** Tabs of one browser: they share a channel and one lock. */
class Browser {
  readonly sources: Array<{ readonly handlers: EventSourceHandlers; closed: boolean }> = []
  private readonly tabs = new Set<(message: unknown) => void>()
  private readonly waiting: Array<() => void> = []
  private held = false

  tab(shared = true): Environment {
    const own = new Set<(message: unknown) => void>()
    const channel: Channel = {
      post: (message) => {
        for (const listener of [...this.tabs]) if (!own.has(listener)) listener(message)
      },
      onMessage: (listener) => {
        own.add(listener)
        this.tabs.add(listener)
      },
      close: () => {
        for (const listener of own) this.tabs.delete(listener)
      }
    }
    return {
      ...new FakeGateway().env,
      openEvents: (_url, _names, handlers) => {
        const source = { handlers, closed: false }
        this.sources.push(source)
        return () => {
          source.closed = true
        }
      },
      openChannel: () => (shared ? channel : null),
      lead: (_name, lead) => {
        if (this.held) this.waiting.push(lead)
        else {
          this.held = true
          lead()
        }
        return () => {
          this.held = false
          this.waiting.shift()?.()
        }
      }
    }
  }

  get open() {
    return this.sources.filter(({ closed }) => !closed)
  }
}

let browser: Browser
beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  browser = new Browser()
})
afterEach(() => vi.useRealTimers())

const message = (data: object) => JSON.stringify({ event: "status.changed", data, ts: 5 })

describe("one stream per browser", () => {
  it("the leader hands events on, and another tab takes over when it closes", () => {
    const [first, second] = [createEventStream(browser.tab()), createEventStream(browser.tab())]
    const heard: Array<string> = []
    first.on("status.changed", ({ data }) => heard.push(`first ${JSON.stringify(data)}`))
    second.on("status.changed", ({ event, ts }) => heard.push(`second ${event} ${ts}`))
    first.start()
    browser.open[0]?.handlers.onOpen()
    second.start()
    assert.strictEqual(browser.open.length, 1)
    assert.isTrue(second.connected.get(), "a tab that comes later asks")
    browser.open[0]?.handlers.onMessage("status.changed", message({ gateway: "ok" }))
    assert.deepStrictEqual(heard, ['first {"gateway":"ok"}', "second status.changed 5"])
    first.stop()
    assert.strictEqual(browser.open.length, 1)
    browser.open[0]?.handlers.onMessage("status.changed", message({}))
    assert.strictEqual(heard.length, 3)
    second.stop()
    assert.strictEqual(browser.open.length, 0)
  })

  it("a tab that opens later gets the gateway's state", () => {
    const [first, second] = [createEventStream(browser.tab()), createEventStream(browser.tab())]
    const heard: Array<string> = []
    first.start()
    browser.open[0]?.handlers.onOpen()
    for (const gateway of ["unreachable", "ok"])
      browser.open[0]?.handlers.onMessage("status.changed", message({ gateway }))
    browser.open[0]?.handlers.onMessage("memory.changed", "{}")
    for (const name of ["status.changed", "memory.changed"] as const)
      second.on(name, ({ event, data }) => heard.push(`${event} ${JSON.stringify(data)}`))
    second.start()
    assert.deepStrictEqual(heard, ['status.changed {"gateway":"ok"}'])
    for (const stream of [first, second]) stream.stop()
  })

  it("without channels every tab has its own", () => {
    const streams = [createEventStream(browser.tab(false)), createEventStream(browser.tab(false))]
    for (const stream of streams) stream.start()
    assert.strictEqual(browser.open.length, 2)
    for (const stream of streams) stream.stop()
  })
})

describe("a broken stream", () => {
  it("is opened anew at once when the network is lost, and after a sleep that outlasted a ping", () => {
    const gateway = new FakeGateway()
    const stream = createEventStream({
      ...browser.tab(false),
      onOffline: gateway.env.onOffline,
      onWake: gateway.env.onWake
    })
    stream.start()
    browser.open[0]?.handlers.onOpen()
    gateway.goOffline()
    assert.isFalse(stream.connected.get())
    vi.advanceTimersByTime(0)
    browser.open[0]?.handlers.onOpen()
    assert.strictEqual(browser.sources.length, 2)
    gateway.wakeUp()
    assert.isTrue(stream.connected.get())
    vi.setSystemTime(Date.now() + 40_000)
    gateway.wakeUp()
    assert.isFalse(stream.connected.get())
    vi.advanceTimersByTime(0)
    assert.strictEqual(browser.sources.length, 3)
    stream.stop()
  })

  it("comes back by itself, later each time, and so does one that went silent", () => {
    const stream = createEventStream(browser.tab())
    stream.start()
    browser.open[0]?.handlers.onError()
    assert.strictEqual(browser.open.length, 0)
    vi.advanceTimersByTime(1_000)
    assert.strictEqual(browser.open.length, 1)
    const late = browser.open[0]
    browser.open[0]?.handlers.onError()
    late?.handlers.onError()
    vi.advanceTimersByTime(2_000)
    assert.strictEqual(browser.open.length, 1)
    browser.open[0]?.handlers.onOpen()
    assert.isTrue(stream.connected.get())
    vi.advanceTimersByTime(75_000)
    assert.isFalse(stream.connected.get())
    vi.advanceTimersByTime(1_000)
    assert.strictEqual(browser.open.length, 1)
    stream.stop()
    vi.advanceTimersByTime(100_000)
    assert.strictEqual(browser.open.length, 0)
  })

  it("messages that are no JSON do no harm", () => {
    const stream = createEventStream(browser.tab())
    const heard: Array<unknown> = []
    stream.on("ping", ({ data }) => heard.push(data))
    stream.start()
    browser.open[0]?.handlers.onMessage("ping", "{")
    assert.deepStrictEqual(heard, [])
    stream.stop()
  })
})
