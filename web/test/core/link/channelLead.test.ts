import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import type { Channel, EventSourceHandlers } from "../../../src/core/link/Environment.ts"
import { createEventStream } from "../../../src/core/link/EventStream.ts"
import { FakeGateway } from "../support/FakeGateway.ts"

interface Source {
  readonly tab: string
  readonly handlers: EventSourceHandlers
}

/** The tabs of a browser that gives pages a channel and no locks, as on plain HTTP. */
class Browser {
  readonly open: Array<Source> = []
  private readonly hearers = new Map<string, Set<(message: unknown) => void>>()
  /** Tabs that the browser has put to sleep: nothing runs in them, and messages wait. */
  private readonly asleep = new Map<string, Array<unknown>>()

  private readonly ended = new Set<string>()

  tab(name: string) {
    const gateway = new FakeGateway()
    const own = new Set<(message: unknown) => void>()
    const channel: Channel = {
      post: (message) => {
        if (this.asleep.has(name)) return
        for (const [other, hearers] of [...this.hearers]) {
          if (other === name) continue
          const waiting = this.asleep.get(other)
          if (waiting === undefined) for (const hear of [...hearers]) hear(structuredClone(message))
          else waiting.push(message)
        }
      },
      onMessage: (listener) => {
        own.add(listener)
        this.hearers.set(name, own)
      },
      close: () => void this.hearers.delete(name)
    }
    const stream = createEventStream({
      ...gateway.env,
      uuid: () => name,
      openEvents: (_url, _names, handlers) => {
        if (this.ended.has(name)) return () => {}
        const source = { tab: name, handlers }
        this.open.push(source)
        return () => void this.open.splice(this.open.indexOf(source), 1)
      },
      openChannel: () => channel,
      lead: () => null
    })
    const heard: Array<unknown> = []
    stream.on("memory.changed", ({ data }) => heard.push(data))
    return Object.assign(stream, { heard, leave: () => gateway.leavePage(), show: () => gateway.wakeUp() })
  }

  /** Tabs that hold a stream. */
  get holders() {
    return this.open.map(({ tab }) => tab)
  }

  /** Lets a while pass, with the server's pings on every stream there is. */
  pass(ms: number): void {
    for (let left = ms; left > 0; left -= 1_000) {
      vi.advanceTimersByTime(Math.min(left, 1_000))
      if (Math.floor(left / 1_000) % 30 === 0)
        for (const source of [...this.open]) source.handlers.onMessage("ping", "{}")
    }
  }

  connect(): void {
    for (const source of [...this.open]) source.handlers.onOpen()
  }

  send(data: unknown): void {
    for (const source of [...this.open]) source.handlers.onMessage("memory.changed", JSON.stringify({ data, ts: 1 }))
  }

  sleep(name: string): void {
    this.asleep.set(name, [])
  }

  wake(name: string): void {
    const waiting = this.asleep.get(name) ?? []
    this.asleep.delete(name)
    for (const message of waiting) for (const hear of [...(this.hearers.get(name) ?? [])]) hear(message)
  }

  /** A tab that ends without a word. */
  kill(name: string): void {
    this.sleep(name)
    this.ended.add(name)
    this.hearers.delete(name)
    this.open.splice(0, this.open.length, ...this.open.filter(({ tab }) => tab !== name))
  }
}

let browser: Browser
beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  browser = new Browser()
})
afterEach(() => vi.useRealTimers())

const NAMES = ["a", "b", "c", "d", "e", "f", "g", "h"]

/** Eight tabs, one after the other or all at once, whose stream is open. */
const eightTabs = (between = 0) => {
  const tabs = NAMES.map((name) => {
    const tab = browser.tab(name)
    tab.start()
    if (between > 0) browser.pass(between)
    return tab
  })
  browser.pass(2_000)
  browser.connect()
  return tabs
}

describe("eight tabs on plain HTTP", () => {
  it.each([
    ["at once", 0],
    ["one after the other", 1_000],
    ["within a moment", 50]
  ])("opened %s share one stream, and all get what it brings", (_name, between) => {
    const tabs = eightTabs(between)
    assert.lengthOf(browser.holders, 1)
    browser.send("news")
    for (const tab of tabs) {
      assert.isTrue(tab.connected.get())
      assert.deepStrictEqual(tab.heard, ["news"])
    }
    browser.pass(600_000)
    assert.lengthOf(browser.holders, 1)
    for (const tab of tabs) tab.stop()
    assert.lengthOf(browser.holders, 0)
  })

  it("go on with another tab's stream when that one is closed, and read anew what they may have missed", () => {
    const tabs = eightTabs()
    const [first = ""] = browser.holders
    const rest = tabs.filter((_tab, index) => NAMES[index] !== first)
    const changes: Array<boolean> = []
    rest[0]?.connected.subscribe((up) => changes.push(up))
    tabs[NAMES.indexOf(first)]?.leave()
    browser.kill(first)
    browser.pass(1_000)
    assert.lengthOf(browser.holders, 1)
    assert.notInclude(browser.holders, first)
    browser.connect()
    browser.send("news")
    for (const tab of rest) assert.deepStrictEqual(tab.heard, ["news"])
    assert.deepStrictEqual(changes.slice(-2), [false, true])
  })

  it("notice at the next look, or after a while, that the one with the stream was ended", () => {
    for (const notice of ["look", "while"]) {
      browser = new Browser()
      const tabs = eightTabs()
      const [first = ""] = browser.holders
      browser.kill(first)
      if (notice === "look") tabs.find((_tab, index) => NAMES[index] !== first)?.show()
      browser.pass(notice === "look" ? 1_000 : 70_000)
      assert.lengthOf(browser.holders, 1, notice)
      assert.notInclude(browser.holders, first)
    }
  })

  it("leave one stream when the one that was put to sleep wakes up", () => {
    const tabs = eightTabs()
    const [first = ""] = browser.holders
    browser.sleep(first)
    tabs.find((_tab, index) => NAMES[index] !== first)?.show()
    browser.pass(1_000)
    browser.connect()
    assert.lengthOf(browser.holders, 2, "nothing runs in the one that sleeps")
    browser.wake(first)
    browser.pass(1_000)
    assert.lengthOf(browser.holders, 1)
    assert.notInclude(browser.holders, first)
    browser.send("news")
    for (const tab of tabs) assert.deepStrictEqual(tab.heard, ["news"])
  })

  it("leave one stream when two took the lead at the same moment", () => {
    const [left, right] = [browser.tab("left"), browser.tab("right")]
    browser.sleep("left")
    browser.sleep("right")
    left.start()
    right.start()
    vi.advanceTimersByTime(1_000)
    assert.lengthOf(browser.holders, 2)
    browser.wake("left")
    browser.wake("right")
    left.show()
    browser.pass(1_000)
    assert.lengthOf(browser.holders, 1)
    for (const tab of [left, right]) tab.stop()
    assert.lengthOf(browser.holders, 0)
  })

  it("come back with a page that the browser had kept after it was left", () => {
    const tab = browser.tab("alone")
    tab.start()
    browser.pass(1_000)
    tab.leave()
    assert.lengthOf(browser.holders, 0)
    tab.show()
    browser.pass(1_000)
    assert.lengthOf(browser.holders, 1)
    tab.stop()
  })
})
