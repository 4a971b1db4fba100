import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  added,
  grantedAgain,
  hasReached,
  limitsOf,
  NOTHING,
  raisedLimit,
  spentShown,
  spentWords,
  UNSPENT,
  usedUp
} from "../../../src/services/budgets/amounts.ts"

const account = (
  limit: { usd?: number; minutes?: number; turns?: number },
  spent: object = {},
  extra: object = {}
) => ({
  limit,
  spent: { ...UNSPENT, ...spent },
  extra: { ...NOTHING, ...extra }
})

describe("what a budget may spend", () => {
  it("is used up at its limit, by any of its units", () => {
    assert.deepStrictEqual(usedUp(account({ usd: 5, turns: 3 }, { nano: 4_999_999_999 })), [])
    assert.deepStrictEqual(usedUp(account({ usd: 5, turns: 3 }, { nano: 5_000_000_000 })), ["nano"])
    assert.deepStrictEqual(usedUp(account({ usd: 5, turns: 3 }, { nano: 6e9, turns: 3 })), ["nano", "turns"])
    assert.deepStrictEqual(usedUp(account({ minutes: 1 }, { ms: 60_000 }, { ms: 60_000 })), [])
    assert.isTrue(hasReached(account({ usd: 5 }, { nano: 4e9 }), 0.8))
    assert.isFalse(hasReached(account({ usd: 5 }, { nano: 4e9 - 1 }), 0.8))
  })

  it("is granted again as often as it takes, for what is used up alone", () => {
    assert.deepStrictEqual(grantedAgain(account({ usd: 5, turns: 9 }, { nano: 5e9, turns: 1 })), {
      nano: 5e9,
      ms: 0,
      turns: 0
    })
    assert.strictEqual(grantedAgain(account({ usd: 1 }, { nano: 3_500_000_000 })).nano, 3e9)
    assert.strictEqual(grantedAgain(account({ turns: 2 }, { turns: 8 }, { turns: 2 })).turns, 8)
  })

  it("is raised to a decimal number above what was spent, whole for turns", () => {
    const usd = account({ usd: 5, turns: 3 }, { nano: 5_500_000_000 })
    assert.deepStrictEqual(raisedLimit(usd, "6.5"), { usd: 6.5, turns: 3 })
    for (const text of ["5.5", "5", "0", "-7", "1e3", "0x10", "seven", "", "NaN", "Infinity", "1000001", "6,5"])
      assert.isUndefined(raisedLimit(usd, text), text)
    assert.deepStrictEqual(raisedLimit(account({ usd: 5 }, { nano: 6e9 }, { nano: 2e9 }), "4.5"), { usd: 4.5 })
    const turns = account({ turns: 3 }, { turns: 3 })
    assert.deepStrictEqual(raisedLimit(turns, "4"), { turns: 4 })
    for (const text of ["3", "4.5", "100001"]) assert.isUndefined(raisedLimit(turns, text), text)
    assert.isUndefined(raisedLimit(account({ minutes: 5 }, { ms: 300_000 }), "525601"))
  })

  it("is told in a few words", () => {
    assert.strictEqual(spentWords(account({ usd: 5 }, { nano: 5_004_000_000 })), "Spent $5.00 of $5.00")
    assert.strictEqual(spentWords(account({ usd: 0.02 }, { nano: 12_300_000 })), "Spent $0.01 of $0.02")
    assert.strictEqual(spentWords(account({ usd: 1234.5 }, { nano: 4 })), "Spent <$0.01 of $1,234.50")
    assert.strictEqual(spentWords(account({ usd: 5, turns: 4 }, { turns: 4 })), "Spent 4 of 4 turns")
    assert.strictEqual(spentWords(account({ minutes: 30 }, { ms: 90_000 })), "Spent 1.5 of 30 minutes")
  })

  const Nano = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1e12 }))

  it.prop("adds up to the billionth of a dollar, in any order", [Schema.Array(Nano)], ([prices]) => {
    const sum = prices.reduce((total, nano) => added(total, { nano, turns: 1 }), UNSPENT)
    const backwards = prices.toReversed().reduce((total, nano) => added(total, { nano, turns: 1 }), UNSPENT)
    const plain = prices.reduce((total, nano) => total + BigInt(nano), 0n)
    assert.deepStrictEqual(sum, backwards)
    assert.strictEqual(BigInt(sum.nano), plain)
    assert.strictEqual(BigInt(Math.round(spentShown(sum).usd * 1e9)), plain)
  })

  const Limit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1e9 }))

  it.prop(
    "is never used up after it was granted again, and is granted no more often than it takes",
    [Limit, Nano],
    ([limit, spent]) => {
      const before = account({ usd: limit / 1e9 }, { nano: spent })
      const { nano } = grantedAgain(before)
      assert.deepStrictEqual(usedUp({ ...before, extra: { ...NOTHING, nano } }), [])
      assert.strictEqual(nano % (limitsOf(before.limit).nano ?? 0), 0)
      if (nano > 0) assert.deepStrictEqual(usedUp({ ...before, extra: { ...NOTHING, nano: nano - limit } }), ["nano"])
    }
  )
})
