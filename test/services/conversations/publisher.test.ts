import { assert, it } from "@effect/vitest"
import { applyPatch } from "../../../src/contract/applyPatch.ts"
import type {
  ConversationHead,
  ConversationItem,
  ConversationState
} from "../../../src/contract/schema/conversation.ts"
import { overdue, surplus } from "../../../src/services/conversations/heldRules.ts"
import { makePublisher, type Published, patchBetween } from "../../../src/services/conversations/publisher.ts"

const HEAD: ConversationHead = {
  status: "ready",
  linked: true,
  deleted: false,
  unknown: false,
  activity: "IDLE",
  running: false,
  stopping: false,
  queued: 0,
  versions: [],
  tips: [],
  can: { steer: true, rewind: true, versions: true, attach: 1 }
}

const said = (key: string, text: string, more: Partial<Extract<ConversationItem, { kind: "assistant" }>> = {}) =>
  ({ key, at: 1, kind: "assistant", text, streaming: true, ...more }) as const

/** Pseudo-random numbers, the same in every run. */
const numbers = (seed: number) => {
  let at = seed
  return (below: number): number => {
    at = (at * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((at / 2_147_483_648) * below)
  }
}

/** A step of a random walk: items come, grow, change, move and go, and so do fields of the head. */
const walked = (
  { head, items }: ConversationState,
  next: (below: number) => number,
  count: number
): ConversationState => {
  const at = next(items.length + 1)
  const item = items[at]
  switch (next(6)) {
    case 0:
      return { head, items: items.toSpliced(at, 0, said(`k${count}`, "a")) }
    case 1:
      return { head, items: items.filter((_, index) => index !== at) }
    case 2:
      return item === undefined ? { head, items } : { head, items: [...items.filter((one) => one !== item), item] }
    case 3:
      return item?.kind === "assistant"
        ? { head, items: items.with(at, { ...item, text: `${item.text}${"é".repeat(next(9))}` }) }
        : { head, items }
    case 4:
      return item?.kind === "assistant"
        ? { head, items: items.with(at, said(item.key, `x${next(9)}`, next(2) === 0 ? { model: "m" } : {})) }
        : { head, items }
    default: {
      const { older: _, ...rest } = head
      return { items, head: { ...rest, queued: next(3), ...(next(2) === 0 ? {} : { older: `c${next(3)}` }) } }
    }
  }
}

it("each patch makes one state of the one before", () => {
  for (let seed = 1; seed <= 200; seed++) {
    const next = numbers(seed)
    let state: ConversationState = { items: [], head: HEAD }
    for (let count = 0; count < 40; count++) {
      const after = walked(state, next, count)
      const patch = patchBetween(state, after)
      const { head, items } = state
      const applied = applyPatch({ items: items.map((item) => ({ ...item })), head: { ...head } }, patch ?? {})
      assert.deepStrictEqual(
        applied,
        { items: [...after.items], head: { ...after.head } },
        `walk ${seed}, step ${count}`
      )
      state = after
    }
  }
})

/** A publisher over a state that a test changes, on a clock that the test moves. */
const makeWorld = (first: ConversationState) => {
  let state = first
  let now = 0
  let due: { readonly at: number; readonly run: () => void } | undefined
  let epochs = 0
  const publisher = makePublisher({
    shown: () => state,
    now: () => now,
    newEpoch: () => `e${++epochs}`,
    after: (ms, run) => {
      due = { at: now + ms, run }
    }
  })
  const told: Array<Published & { readonly at: number }> = []
  publisher.view((published) => told.push({ ...published, at: now }))
  return {
    publisher,
    told,
    change: (next: ConversationState) => {
      state = next
      publisher.note()
    },
    pass: (ms: number) => {
      const until = now + ms
      while (due !== undefined && due.at <= until) {
        now = due.at
        const { run } = due
        due = undefined
        run()
      }
      now = until
    }
  }
}

const running = (items: ReadonlyArray<ConversationItem>): ConversationState => ({
  items,
  head: { ...HEAD, running: true, activity: "STREAMING" }
})

it("the first change is told at once, and then one state in 16, 50, 100 or 500 ms by the text's length", () => {
  for (const [length, pause] of [
    [500, 16],
    [2_000, 50],
    [70_000, 100],
    [600_000, 500]
  ] as const) {
    const { change, pass, told } = makeWorld(running([said("a", "x".repeat(length))]))
    pass(1_000)
    change(running([said("a", "x".repeat(length + 20))]))
    assert.strictEqual(told.length, 1)
    for (let more = 2; more < 20; more++) change(running([said("a", "x".repeat(length + more * 20))]))
    assert.strictEqual(told.length, 1)
    pass(pause)
    assert.strictEqual(told.length, 2, `${length}`)
  }
})

it.each([
  [1, 10],
  [1, 60],
  [5, 20],
  [20, 60],
  [4, 1000]
])("an answer costs at most ten times its text and 20 KB: %d characters, %d times a second", (piece, perSecond) => {
  const text = "An answer of some words, and “quotes” too. ".repeat(90)
  const { change, pass, publisher, told } = makeWorld({ items: [], head: HEAD })
  for (let at = piece; at < text.length; at += piece) {
    change(running([said("0f8fad5b-d9cb-469f-a165-70867728950e/0", text.slice(0, at))]))
    pass(1000 / perSecond)
  }
  change({ items: [said("0f8fad5b-d9cb-469f-a165-70867728950e/0", text, { streaming: false })], head: HEAD })
  publisher.flush()
  const bytes = told.reduce((sum, { patch = "" }) => sum + Buffer.byteLength(patch) + 24, 0)
  assert.isAtMost(bytes, 10 * Buffer.byteLength(text) + 20_000)
  assert.strictEqual(told.at(-1)?.state.items[0]?.kind === "assistant" ? told.at(-1)?.state.items.length : 0, 1)
})

it("what is gone from the history begins another epoch; what is left to older pages doesn't", () => {
  const stored = (id: string) => said(id, id, { streaming: false, messageId: id })
  const all = ["a", "b", "c"].map(stored)
  const { change, pass, publisher, told } = makeWorld({ items: all, head: HEAD })
  pass(100)
  change({ items: all.slice(1), head: { ...HEAD, older: "cursor" } })
  assert.isDefined(told.at(-1)?.patch)
  pass(100)
  change({ items: all.slice(1, 2), head: { ...HEAD, older: "cursor" } })
  assert.isUndefined(told.at(-1)?.patch)
  assert.notStrictEqual(told.at(-1)?.e, told[0]?.e)
  assert.strictEqual(publisher.current().s, told.at(-1)?.s)
})

it("nobody's conversations go after five minutes, above 32, and above 64 MB", () => {
  const held = (viewers: number, seenAt: number, size = 10) => ({ viewers, seenAt, size })
  assert.deepStrictEqual(overdue([held(1, 0), held(0, 1_000)], 300_000), [])
  assert.deepStrictEqual(overdue([held(1, 0), held(0, 1_000)], 301_000), [held(0, 1_000)])
  const many = Array.from({ length: 34 }, (_, at) => held(0, at))
  assert.deepStrictEqual(overdue(many, 40), [held(0, 1), held(0, 0)])
  const large = [held(1, 0, 20 * 1024 * 1024), held(0, 2, 8 * 1024 * 1024), held(0, 1, 8 * 1024 * 1024)]
  assert.deepStrictEqual(overdue(large, 3), large.slice(2))
})

it("a conversation grows to 400 entries or 4 MB, and is cut to 300 or 3 MB", () => {
  const sizes = (count: number, size: number) => Array.from({ length: count }, () => size)
  assert.strictEqual(surplus(sizes(400, 10)), 0)
  assert.strictEqual(surplus(sizes(401, 10)), 101)
  assert.strictEqual(surplus(sizes(4, 600_000)), 2)
})
