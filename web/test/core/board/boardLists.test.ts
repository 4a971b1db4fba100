import { assert, describe, it } from "@effect/vitest"
import { costsOf } from "../../../src/core/board/boardOf.ts"
import { mergeChecklists, progressWords, withItem, withMoved, withNew } from "../../../src/core/board/checklist.ts"
import {
  type ListRow,
  listRows,
  nextSort,
  rowBeside,
  shownRows,
  sortedTasks
} from "../../../src/core/board/listOrder.ts"
import { mergeTask } from "../../../src/core/board/mergeTask.ts"
import { runText } from "../../../src/core/board/runProgress.ts"
import {
  isShownAsSaved,
  sortFrom,
  viewBody,
  viewIdFrom,
  viewStateFrom,
  withView
} from "../../../src/core/board/viewAddress.ts"
import { NO_CARDS } from "../../../src/core/board/visibleBoard.ts"
import { clockSpan } from "../../../src/core/common/timeText.ts"
import type { ChatItem } from "../../../src/core/conversation/chatTypes.ts"
import { usageRow } from "../operations/usageRow.ts"
import { task } from "./FakeBoard.ts"

const item = (id: string, fields: object = {}) => ({ id, text: id, done: false, ...fields })

describe("a checklist", () => {
  it("takes pasted lines as items, without their marks, up to the limit", () => {
    let count = 0
    const made = withNew([item("a")], "- [ ] one\n* two\n\n  three ", () => `n${++count}`)
    assert.deepStrictEqual(
      made.map(({ id, text }) => `${id} ${text}`),
      ["a a", "n1 one", "n2 two", "n3 three"]
    )
    assert.lengthOf(
      withNew([], "x\n".repeat(200), () => `n${++count}`),
      100
    )
  })

  it("rewords, ticks, moves and removes one item", () => {
    const items = [item("a"), item("b")]
    assert.deepStrictEqual(withItem(items, "b", { done: true }), [item("a"), item("b", { done: true })])
    assert.deepStrictEqual(withItem(items, "a", { text: " x " }), [item("a", { text: "x" }), item("b")])
    assert.deepStrictEqual(withItem(items, "a", { text: " " }), [item("b")])
    assert.deepStrictEqual(withMoved(items, "b", -1), [item("b"), item("a")])
    assert.strictEqual(withMoved(items, "a", -1), items)
    assert.strictEqual(progressWords([item("a", { done: true }), item("b")]), "1 of 2 items done")
  })

  it("is merged item by item, and asks only where both reworded one", () => {
    const base = [item("a"), item("b"), item("c")]
    const mine = [item("a", { done: true }), item("b"), item("mine")]
    const theirs = [item("b", { text: "B" }), item("a"), item("c"), item("theirs")]
    assert.deepStrictEqual(mergeChecklists(base, mine, theirs), [
      item("b", { text: "B" }),
      item("a", { done: true }),
      item("theirs"),
      item("mine")
    ])
    assert.isNull(mergeChecklists([item("a")], [item("a", { text: "x" })], [item("a", { text: "y" })]))
    const before = task("t", { checklist: base })
    const merged = mergeTask(before, { checklist: mine }, task("t", { version: 2, checklist: theirs }))
    assert.deepStrictEqual([merged.conflicts.length, merged.changes.checklist?.length], [0, 4])
    const reworded = { checklist: [item("a", { text: "x" })] }
    const conflict = mergeTask(before, reworded, task("t", { checklist: [item("a", { text: "y" })] }))
    assert.deepStrictEqual(
      conflict.conflicts.map(({ field }) => field),
      ["checklist"]
    )
  })

  it("keep the order of the side that moved an item, with what the other side added and removed", () => {
    const ids = (items: ReturnType<typeof mergeChecklists>) => items?.map(({ id }) => id).join("")
    const list = (text: string) => [...text].map((id) => item(id))
    assert.strictEqual(ids(mergeChecklists(list("abc"), list("acb"), list("abc"))), "acb")
    assert.strictEqual(ids(mergeChecklists(list("abc"), list("acb"), list("abxc"))), "acbx")
    assert.strictEqual(ids(mergeChecklists(list("abc"), list("abc"), list("bca"))), "bca")
    assert.strictEqual(ids(mergeChecklists(list("abc"), list("cab"), list("bc"))), "cb")
    assert.strictEqual(ids(mergeChecklists(list("abc"), list("abxc"), list("cab"))), "cabx")
  })
})

describe("the list", () => {
  const cards = [
    task("a", { title: "Item 10", priority: "low", dueAt: 5 }),
    task("b", { title: "item 9", priority: "critical" }),
    task("c", { title: "Älter", assignee: "agent:x", dueAt: 1 })
  ]
  const order = (by: Parameters<typeof nextSort>[1], descending = false) =>
    sortedTasks(cards, { by, descending }, new Map([["b", 2]])).map(({ id }) => id)

  it("sorts as people read, and what has no value comes last either way", () => {
    assert.deepStrictEqual(order("title"), ["c", "b", "a"])
    assert.deepStrictEqual(order("priority"), ["b", "c", "a"])
    assert.deepStrictEqual(order("due"), ["c", "a", "b"])
    assert.deepStrictEqual(order("due", true), ["a", "c", "b"])
    assert.deepStrictEqual(order("cost"), ["b", "a", "c"])
    assert.deepStrictEqual(
      sortedTasks(cards, null, new Map()).map(({ id }) => id),
      ["a", "b", "c"]
    )
  })

  it("has a heading for each column with cards, and its arrows pass them over", () => {
    const column = (key: "todo" | "review" | "done") => ({ key, title: key, wipLimit: 0, hidden: false })
    const shown = { ...NO_CARDS, todo: cards.slice(0, 2), done: cards.slice(2) }
    const rows = listRows([column("todo"), column("review"), column("done")], shown, null, new Map())
    const keys = (all: ReadonlyArray<ListRow>) => all.map(({ key }) => key)
    assert.deepStrictEqual(keys(rows), ["todo", "a", "b", "done", "c"])
    assert.deepStrictEqual([rowBeside(rows, "b", 1), rowBeside(rows, "c", -1), rowBeside(rows, "a", -1)], [4, 2, 1])
    assert.strictEqual(rowBeside(rows, "a", 10), 4)
    const turned = listRows([column("todo"), column("done")], shown, { by: "status", descending: true }, new Map())
    assert.deepStrictEqual(keys(turned), ["done", "c", "todo", "a", "b"])
  })

  it("draws only what is in sight, in steps", () => {
    assert.deepStrictEqual(shownRows(10_000, { top: 0, height: 400, row: 40 }), { from: 0, to: 26 })
    const middle = shownRows(10_000, { top: 200_010, height: 400, row: 40 })
    assert.deepStrictEqual(middle, shownRows(10_000, { top: 200_050, height: 400, row: 40 }))
    assert.isAtMost(middle.from, 5000)
    assert.isAtLeast(middle.to, 5011)
    assert.deepStrictEqual(shownRows(3, { top: 500_000, height: 400, row: 40 }).to, 3)
  })

  it("a heading sorts up, down and back to the board's order", () => {
    const up = nextSort(null, "due")
    const down = nextSort(up, "due")
    assert.deepStrictEqual(
      [up, down, nextSort(down, "due")],
      [{ by: "due", descending: false }, { by: "due", descending: true }, null]
    )
  })
})

describe("a saved view", () => {
  const search = "?q=x&priority=high,low&label=a&label=b%20c&assignee=none&due=overdue&layout=list&sort=-due"

  it("brings back the address it was saved from, and keeps what isn't its own", () => {
    const view = { id: "v", ...viewBody("Mine", viewStateFrom(search)) }
    const shown = withView("?columns=all&label=other", view)
    assert.deepStrictEqual(viewStateFrom(shown), viewStateFrom(search))
    assert.include(shown, "columns=all")
    assert.strictEqual(viewIdFrom(shown), "v")
    assert.isTrue(isShownAsSaved(view, shown))
    assert.isFalse(isShownAsSaved(view, shown.replace("label=a", "label=z")))
  })

  it("of the whole board has no filter; what is none is left out", () => {
    assert.deepStrictEqual(viewBody("All", viewStateFrom("")), { name: "All", layout: "board", filter: {} })
    assert.strictEqual(withView(`${search}&view=v`, null), "?layout=list")
    assert.isNull(sortFrom("?sort=rank"))
  })
})

describe("what cards cost and how long they take", () => {
  it("is summed over gateways, without jobs and what cost nothing", () => {
    const rows = [
      { work: "task:a", cost: 1 },
      { work: "task:a", cost: 0.5, gatewayId: "second" },
      { work: "cron:b", cost: 3 },
      { work: "task:c", cost: 0 },
      { work: "", cost: 9 }
    ].map(usageRow)
    assert.deepStrictEqual([...costsOf({ from: "", to: "", group: ["work"], rows })], [["a", 1.5]])
  })

  it("is shown as a clock", () => {
    assert.deepStrictEqual([0, 5_400, 200_000, 3_725_000].map(clockSpan), ["0:00", "0:05", "3:20", "1:02:05"])
  })
})

describe("what an agent writes in a run", () => {
  it("is everything since it was asked, without markers", () => {
    const base = { key: "k", at: 1 }
    const said = (text: string): ChatItem => ({
      ...base,
      kind: "assistant",
      text,
      streaming: true,
      model: null,
      injected: false,
      usage: null
    })
    const asked: ChatItem = { ...base, kind: "user", text: "Do it", images: [], delivery: "sent", error: null }
    const items = [said("before"), asked, said("# One"), said('Two [kanban:create]{"title":"t"}[/kanban:create]')]
    assert.strictEqual(runText({ items }).trim(), "# One\n\nTwo")
  })
})
