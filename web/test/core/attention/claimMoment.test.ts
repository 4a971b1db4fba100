import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { claimMoment, claimStoredMoment, type Locks } from "../../../src/core/attention/claimMoment.ts"
import { memoryStorage } from "../../../src/core/memoryStorage.ts"

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
  it("belongs to the tab that stored it first, and is another one later or of something else", () => {
    const storage = memoryStorage()
    assert.isTrue(claimStoredMoment(storage, "finished a", 1_000))
    assert.isFalse(claimStoredMoment(storage, "finished a", 1_003))
    assert.isFalse(claimStoredMoment(storage, "finished a", 990))
    assert.isTrue(claimStoredMoment(storage, "asks a", 1_000))
    assert.isTrue(claimStoredMoment(storage, "finished a", 7_000))
    assert.isFalse(claimStoredMoment(storage, "finished a", 1_010))
  })

  it("is not kept for good, and what others stored there is no claim", () => {
    const storage = memoryStorage()
    storage.setItem("agent-console:moments", '{"what":"finished a"}')
    assert.isTrue(claimStoredMoment(storage, "finished a", 1_000))
    storage.setItem("agent-console:moments", "no JSON")
    assert.isTrue(claimStoredMoment(storage, "finished a", 1_000))
    assert.isTrue(claimStoredMoment(storage, "finished b", 200_000))
    assert.notInclude(storage.getItem("agent-console:moments") ?? "", "finished a")
  })
})

describe("a moment that several tabs hear of", () => {
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
