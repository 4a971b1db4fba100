import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { claimMoment, claimStoredMoment, type Locks } from "../../../src/core/attention/claimMoment.ts"
import { memoryStorage } from "../../../src/core/link/browserEnvironment.ts"

/** The locks of a browser, shared by its tabs: one holder of a name at a time, the others wait in order. */
const browserLocks = () => {
  const tails = new Map<string, Promise<unknown>>()
  const held = new Set<string>()
  const request = async (name: string, run: () => Promise<unknown>): Promise<unknown> => {
    const before = tails.get(name) ?? Promise.resolve()
    const mine = before.then(async () => {
      held.add(name)
      try {
        return await run()
      } finally {
        held.delete(name)
      }
    })
    tails.set(name, mine)
    return mine
  }
  const query = async () => ({ held: [...held].map((name) => ({ name })), pending: [] })
  const locks: Locks = { request, query }
  return { locks, held }
}

describe("a moment where the page may not use locks", () => {
  const atOnce = async () => {}

  it("belongs to the tab that stored it first, and is another one later or of something else", async () => {
    const storage = memoryStorage()
    const isFirst = (what: string, at: number, by = "one") => claimStoredMoment(storage, { what, at, by }, atOnce)
    assert.isTrue(await isFirst("finished a", 1_000))
    assert.isFalse(await isFirst("finished a", 1_003, "two"))
    assert.isFalse(await isFirst("finished a", 990, "two"))
    assert.isTrue(await isFirst("asks a", 1_000, "two"))
    assert.isTrue(await isFirst("finished a", 7_000))
    assert.isFalse(await isFirst("finished a", 1_010, "two"))
  })

  it("is not kept for good, and what others stored there is no claim", async () => {
    const storage = memoryStorage()
    const isFirst = (what: string, at: number) => claimStoredMoment(storage, { what, at, by: "one" }, atOnce)
    storage.setItem("agent-console:moments", '{"what":"finished a"}')
    assert.isTrue(await isFirst("finished a", 1_000))
    storage.setItem("agent-console:moments", "no JSON")
    assert.isTrue(await isFirst("finished a", 1_000))
    assert.isTrue(await isFirst("finished b", 200_000))
    assert.notInclude(storage.getItem("agent-console:moments") ?? "", "finished a")
  })

  /** Tabs whose writes reach the others only when they have settled: until then each reads its own. */
  const slowTabs = (whats: ReadonlyArray<string>) => {
    const shared = memoryStorage()
    const waiting: Array<() => void> = []
    const claims = whats.map((what, index) => {
      const own = memoryStorage()
      let isSettled = false
      const storage = {
        ...own,
        getItem: (key: string) => (isSettled ? shared : own).getItem(key),
        setItem: (key: string, value: string) => {
          own.setItem(key, value)
          shared.setItem(key, value)
        }
      }
      const settled = () =>
        new Promise<void>((resolve) => {
          waiting.push(() => {
            isSettled = true
            resolve()
          })
        })
      return claimStoredMoment(storage, { what, at: 1_000 + index, by: `tab ${index}` }, settled)
    })
    for (const settle of waiting) settle()
    return Promise.all(claims)
  }

  it("belongs to one tab also when none has seen the others' claims yet", async () => {
    const claims = await slowTabs(["finished a", "finished a", "finished a"])
    assert.deepStrictEqual(claims, [false, false, true])
  })

  it("belongs to somebody also when a claim of something else took its place", async () => {
    assert.deepStrictEqual(await slowTabs(["finished a", "asks b"]), [true, true])
  })
})

describe("an event that several tabs receive", () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it("belongs to one of them, also to none that comes a minute late", async () => {
    const { locks } = browserLocks()
    const claims = await Promise.all([1_000, 1_003, 990].map((at) => claimMoment(locks, "finished a", at)))
    assert.deepStrictEqual(claims, [true, false, false])
    await vi.advanceTimersByTimeAsync(60_000)
    assert.isFalse(await claimMoment(locks, "finished a", 1_010))
  })

  it("is another one later, of another session, and of another kind", async () => {
    const { locks } = browserLocks()
    assert.isTrue(await claimMoment(locks, "finished a", 1_000))
    assert.isTrue(await claimMoment(locks, "finished a", 7_000))
    assert.isTrue(await claimMoment(locks, "finished b", 1_000))
    assert.isTrue(await claimMoment(locks, "asks a", 1_000))
    assert.isFalse(await claimMoment(locks, "finished a", 7_001))
  })

  it("leaves no lock behind for good", async () => {
    const { locks, held } = browserLocks()
    await claimMoment(locks, "finished a", 1_000)
    assert.strictEqual(held.size, 1)
    await vi.advanceTimersByTimeAsync(120_000)
    assert.strictEqual(held.size, 0)
  })
})
