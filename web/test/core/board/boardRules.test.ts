import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import type { TaskStatus } from "../../../../src/contract/board.ts"
import { dayMoment } from "../../../../src/contract/dueDay.ts"
import type { RunLink } from "../../../../src/contract/schema/task.ts"
import {
  filteredColumn,
  filterFrom,
  isFiltering,
  isOverdue,
  labelsOf,
  matchesFilter,
  NO_FILTER,
  withFilter
} from "../../../src/core/board/boardFilter.ts"
import { columnBeside, neighbour } from "../../../src/core/board/boardNavigation.ts"
import {
  actorText,
  agentIdOf,
  dateValue,
  dueText,
  minutesText,
  runPlace,
  valueText
} from "../../../src/core/board/boardText.ts"
import { indexOfPlace, NO_ORDER, withCardAt, withoutCard } from "../../../src/core/board/columns.ts"
import { mergeSets, mergeTask } from "../../../src/core/board/mergeTask.ts"
import { moveQuestion } from "../../../src/core/board/moveRules.ts"
import { proposalOfItem, proposedFields } from "../../../src/core/board/proposals.ts"
import { configOf } from "../../../src/core/board/readBoard.ts"
import {
  asNewCard,
  blankTask,
  bothTexts,
  draftOf,
  edited,
  editProblem,
  isDirty,
  keepBoth,
  keepMine,
  newEdit,
  rebased,
  restored,
  undecided,
  useTheirs,
  valueOf
} from "../../../src/core/board/taskEdit.ts"
import { taskHistory } from "../../../src/core/board/taskHistory.ts"
import { NO_CARDS } from "../../../src/core/board/visibleBoard.ts"
import { dayText } from "../../../src/core/common/dateText.ts"
import { CONFIG, task } from "./FakeBoard.ts"

const config = configOf(CONFIG)
const NOW = new Date(2026, 10, 20, 12).getTime()

describe("places", () => {
  const order = { ...NO_ORDER, todo: ["a", "b", "c"], done: ["d"] }
  it("are counted without the card itself", () => {
    assert.strictEqual(indexOfPlace(order.todo, "a", { after: "b" }), 1)
    assert.strictEqual(indexOfPlace(order.todo, "c", { before: "b" }), 1)
    assert.strictEqual(indexOfPlace(order.todo, "a", { index: 9 }), 2)
    assert.strictEqual(indexOfPlace(order.todo, "a", { before: "gone" }), 2)
    assert.strictEqual(indexOfPlace(order.todo, "a", "start"), 0)
  })
  it("a card is in one column only, and other columns keep their identity", () => {
    const moved = withCardAt(order, "a", "done", "start")
    assert.deepStrictEqual(
      [moved.todo, moved.done],
      [
        ["b", "c"],
        ["a", "d"]
      ]
    )
    assert.strictEqual(moved.review, order.review)
    assert.strictEqual(withCardAt(order, "b", "todo", { index: 1 }), order)
    assert.strictEqual(withoutCard(order, "zzz"), order)
  })
})

describe("the filter", () => {
  const odd = task("a", { title: "Paint the BOAT", labels: ["summer"], priority: "high", dueAt: 5 })
  it("survives the address and leaves the other parameters alone", () => {
    const filter = {
      q: "a & b",
      priorities: ["critical", "low"],
      labels: ["x,y", "é"],
      assignee: "agent:main",
      overdue: true,
      start: "blocked"
    } as const
    const search = withFilter("?panel=inbox", filter)
    assert.deepStrictEqual(filterFrom(search), filter)
    assert.include(search, "panel=inbox")
    assert.strictEqual(withFilter(search, NO_FILTER), "?panel=inbox")
    assert.isFalse(isFiltering(filterFrom("?priority=none&q=")))
  })
  it("finds every word in title, description or labels", () => {
    const find = (q: string) => matchesFilter(odd, { ...NO_FILTER, q }, NOW)
    assert.deepStrictEqual([find("boat SUM"), find("paint"), find("boat winter")], [true, true, false])
  })
  it("knows priority, label, owner and due date", () => {
    const match = (more: object) => matchesFilter(odd, { ...NO_FILTER, ...more }, NOW)
    assert.isTrue(match({ priorities: ["high"], labels: ["other", "summer"], assignee: "none", overdue: true }))
    assert.isFalse(match({ assignee: "operator" }))
    assert.isFalse(match({ labels: ["other"] }))
    assert.isFalse(isOverdue({ dueAt: 5, status: "done" }, NOW))
  })
  it("gives the same list back where nothing is filtered", () => {
    const list = [odd]
    assert.strictEqual(filteredColumn(list, NO_FILTER, NOW), list)
    assert.deepStrictEqual(labelsOf({ ...NO_CARDS, todo: [odd, task("b", { labels: ["a", "summer"] })] }), [
      "summer",
      "a"
    ])
  })
})

describe("moves that raise a question", () => {
  const counts = { backlog: 0, todo: 2, "in-progress": 3, review: 0, done: 0, cancelled: 0 }
  const from = (status: TaskStatus, run?: RunLink) =>
    task("a", { status, assignee: "agent:main", ...(run === undefined ? {} : { run }) })
  const strict = configOf({ ...CONFIG, columns: [{ key: "in-progress", title: "Doing", wipLimit: 3, visible: true }] })
  it("a full column, but not for cards that are in it", () => {
    assert.deepStrictEqual(moveQuestion(from("todo"), "in-progress", strict, counts), {
      kind: "full",
      title: "Doing",
      limit: 3
    })
    assert.isNull(moveQuestion(from("in-progress"), "in-progress", strict, counts))
    assert.isNull(moveQuestion(from("todo"), "in-progress", strict, { ...counts, "in-progress": 2 }))
  })
  it("done needs review, is an approval from review, and is free when the board allows it", () => {
    assert.deepStrictEqual(moveQuestion(from("todo"), "done", config, counts), { kind: "needsReview" })
    assert.deepStrictEqual(moveQuestion(from("review"), "done", config, counts), { kind: "approval" })
    const bypass = configOf({ ...CONFIG, allowDoneDragBypass: true })
    assert.isNull(moveQuestion(from("todo"), "done", bypass, counts))
    const free = configOf({ ...CONFIG, reviewRequired: false })
    assert.isNull(moveQuestion(from("review"), "done", free, counts))
  })
  it("what people do themselves needs no review, but anything an agent worked on does", () => {
    const own = { status: "todo", run: null } as const
    for (const assignee of [null, "operator", "Sam"])
      assert.isNull(moveQuestion({ ...own, assignee }, "done", config, counts))
    const { run } = from("todo", { sessionKey: "k", startedAt: 1, status: "done" })
    assert.deepStrictEqual(moveQuestion({ status: "todo", assignee: null, run }, "done", config, counts), {
      kind: "needsReview"
    })
  })
  it("a running agent would be stopped", () => {
    const running = from("in-progress", { sessionKey: "k", startedAt: 1, status: "running" })
    assert.deepStrictEqual(moveQuestion(running, "todo", config, counts), { kind: "stopsRun" })
    assert.isNull(
      moveQuestion(from("in-progress", { sessionKey: "k", startedAt: 1, status: "error" }), "todo", config, counts)
    )
  })
})

describe("merging", () => {
  it("labels are sets: both sides' additions and removals hold", () => {
    assert.deepStrictEqual(mergeSets(["a", "b"], ["b", "mine"], ["a", "b", "theirs"]), ["b", "theirs", "mine"])
  })
  it("only what both changed differently is a conflict", () => {
    const base = task("a", { description: "d" })
    const latest = { ...base, description: "theirs", priority: "low" as const }
    const merged = mergeTask(base, { title: "t", description: "mine", priority: "low" }, latest)
    assert.deepStrictEqual(merged.changes, { title: "t" })
    assert.deepStrictEqual(merged.conflicts, [{ field: "description", base: "d", mine: "mine", theirs: "theirs" }])
  })
})

describe("an edit", () => {
  const base = task("a", { title: "Base", description: "text", version: 3 })
  it("knows what is typed and when it is nothing new", () => {
    const edit = edited(newEdit(base), "title", "Typed")
    assert.deepStrictEqual(
      [valueOf(edit, "title"), valueOf(edit, "description"), isDirty(edit)],
      ["Typed", "text", true]
    )
    assert.isFalse(isDirty(edited(edit, "title", "Base")))
    assert.isNull(valueOf(edited(edit, "description", null), "description"))
    assert.match(editProblem(edited(edit, "title", "  ")) ?? "", /title/)
    assert.isNull(editProblem(edit))
  })
  it("follows the card in untouched fields and asks where both wrote", () => {
    const mine = edited(edited(newEdit(base), "title", "Mine"), "priority", "high")
    const theirs = { ...base, version: 4, title: "Theirs", description: "their text", priority: "high" as const }
    const edit = rebased(mine, theirs)
    assert.deepStrictEqual([valueOf(edit, "title"), valueOf(edit, "description")], ["Mine", "their text"])
    assert.deepStrictEqual([undecided(edit), edit.theirs.title], [["title"], "Theirs"])
    assert.deepStrictEqual(
      [undecided(keepMine(edit, "title")), valueOf(keepMine(edit, "title"), "title")],
      [[], "Mine"]
    )
    assert.deepStrictEqual(
      [valueOf(useTheirs(edit, "title"), "title"), isDirty(useTheirs(edit, "title"))],
      ["Theirs", false]
    )
    // A decision is still open when the card changes elsewhere.
    assert.deepStrictEqual(undecided(rebased(edit, { ...theirs, version: 5, priority: "low" })), ["title"])
  })
  it("survives a reload, on top of what the card became", () => {
    const edit = edited(edited(newEdit(base), "title", "Mine"), "labels", ["new"])
    assert.strictEqual(draftOf(newEdit(base)), "")
    const later = restored(draftOf(edit), { ...base, version: 9, labels: ["theirs"] })
    assert.deepStrictEqual([valueOf(later, "title"), valueOf(later, "labels")], ["Mine", ["theirs", "new"]])
    // What is still to be decided stays so.
    const open = rebased(edit, { ...base, version: 9, title: "Theirs" })
    assert.deepStrictEqual(undecided(restored(draftOf(open), open.base)), ["title"])
    // A card that is not there yet has no title.
    const fresh = edited(newEdit(blankTask(null)), "title", "New")
    assert.deepStrictEqual(restored(draftOf(fresh), blankTask(null)), fresh)
    const gone = asNewCard(draftOf(edit), blankTask(null))
    assert.deepStrictEqual([valueOf(gone, "title"), valueOf(gone, "description")], ["Mine", "text"])
    for (const damaged of ["", "{", "[]", '{"base":{"id":"other"}}', '{"base":7,"changes":8}'])
      assert.deepStrictEqual(restored(damaged, base), newEdit(base))
  })

  it("keeps the changes of both to a text where they don't meet, also after a reload", () => {
    const card = { ...base, description: "one\n\ntwo\n\nthree" }
    const mine = edited(newEdit(card), "description", "one, mine\n\ntwo\n\nthree")
    const theirs = { ...card, version: 2, description: "one\n\ntwo\n\nthree, theirs" }
    const open = restored(draftOf(rebased(mine, theirs)), theirs)
    assert.deepStrictEqual(undecided(open), ["description"])
    const both = keepBoth(open, "description")
    assert.deepStrictEqual(undecided(both), [])
    assert.strictEqual(valueOf(both, "description"), "one, mine\n\ntwo\n\nthree, theirs")
    const later = rebased(open, { ...theirs, version: 3, description: "one, too\n\ntwo\n\nthree" })
    assert.isNull(bothTexts(later, "description"))
    assert.strictEqual(keepBoth(later, "description"), later)
  })
})

describe("walking", () => {
  const columns = { ...NO_CARDS, todo: [task("a"), task("b")], done: [task("c", { status: "done" })] }
  const shown = ["todo", "review", "done"] as const
  it("arrows keep to the shown cards and skip empty columns", () => {
    const to = (id: string, direction: "up" | "down" | "left" | "right") => neighbour(columns, shown, id, direction)?.id
    assert.deepStrictEqual(
      [to("a", "down"), to("a", "up"), to("b", "right"), to("c", "left"), to("c", "right")],
      ["b", undefined, "c", "a", undefined]
    )
    assert.strictEqual(to("gone", "down"), "a")
    assert.deepStrictEqual(
      [columnBeside(shown, "todo", "right"), columnBeside(shown, "todo", "left")],
      ["review", null]
    )
  })
})

describe("words", () => {
  it("for people", () => {
    assert.deepStrictEqual([actorText("operator"), actorText("agent:main"), actorText("x")], ["You", "main", "x"])
    assert.deepStrictEqual([agentIdOf("operator"), agentIdOf("agent:main"), agentIdOf(null)], [null, "main", null])
    assert.deepStrictEqual([minutesText(45), minutesText(120), minutesText(150)], ["45 min", "2 h", "2 h 30 min"])
    assert.deepStrictEqual(
      [dayText(NOW + 3_600_000, NOW, "en"), dayText(NOW + 86_400_000, NOW, "en")],
      ["today", "tomorrow"]
    )
    assert.deepStrictEqual([dateValue(Date.UTC(2027, 0, 5)), dateValue(null)], ["2027-01-05", ""])
    assert.deepStrictEqual(
      [
        valueText("labels", ["a", 1], config, NOW),
        valueText("status", "todo", config, NOW),
        valueText("title", { x: 1 }, config, NOW)
      ],
      ["a, 1", "To Do", '{"x":1}']
    )
  })
})

describe("proposals", () => {
  const proposal = (type: "create" | "update", payload: object, more: object = {}) => ({
    id: "p",
    type,
    payload: { ...payload },
    sourceSessionKey: null,
    proposedBy: "agent:main",
    proposedAt: 5,
    status: "pending" as const,
    version: 1,
    resolvedAt: null,
    reason: null,
    ...more
  })
  it("show only what would change", () => {
    const now = task("a", { title: "Old", priority: "high" })
    assert.deepStrictEqual(
      proposedFields(proposal("update", { id: "a", title: "New", priority: "high", unknown: 1 }), now),
      [{ field: "title", before: "Old", after: "New" }]
    )
  })
  it("are found by their item of the inbox", () => {
    const made = proposal("create", { title: "New" })
    const changed = proposal("update", { id: "a" })
    const later = proposal("update", { id: "a" }, { proposedAt: 6 })
    const all = [later, made, changed]
    assert.strictEqual(proposalOfItem({ createdAt: 5, taskId: null }, all), made)
    assert.strictEqual(proposalOfItem({ createdAt: 5, taskId: "a" }, all), changed)
    assert.isUndefined(proposalOfItem({ createdAt: 6, taskId: null }, all))
  })
  it("a run names its console only where several share the board", () => {
    const run = { sessionKey: "k", startedAt: 10, status: "running" } as const
    assert.strictEqual(runPlace(task("a", { run }).run), "")
    assert.strictEqual(runPlace(task("a", { run: { ...run, console: "desk" } }).run), " on desk")
    assert.strictEqual(runPlace(null), "")
  })
  it("are part of a card's history", () => {
    const run = { sessionKey: "k", startedAt: 10, endedAt: 20, status: "error", error: "no luck" } as const
    const lived = task("a", {
      createdAt: 1,
      run,
      updatedAt: 40,
      assignee: "agent:helper",
      feedback: [{ at: 30, by: "operator", note: "again" }],
      history: [
        { at: 35, by: "Ada", what: "moved", from: "todo", to: "backlog" },
        { at: 36, by: "Ada", what: "sent-back", from: "review", to: "todo" }
      ]
    })
    const history = taskHistory(lived, [proposal("update", { id: "a" }), proposal("update", { id: "b" })], null)
    assert.include(
      history.map(({ what }) => what),
      "moved it from To Do to Backlog"
    )
    assert.deepStrictEqual(
      history.map(({ at, by, note }) => [at, by, note]),
      [
        [40, null, null],
        [36, "Ada", null],
        [35, "Ada", null],
        [30, "operator", "again"],
        [20, "agent:helper", "no luck"],
        [10, "agent:helper", null],
        [5, "agent:main", null],
        [1, "operator", null]
      ]
    )
  })
})

describe("a due day", () => {
  const DAY = 86_400_000
  const THIRD = Date.UTC(2026, 11, 3)
  const ZONES = ["America/Los_Angeles", "Asia/Tokyo", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kolkata", "UTC"]
  afterEach(() => vi.unstubAllEnvs())

  it("is the same day wherever it's read, and overdue when that day is over for the reader", () => {
    for (const zone of ZONES) {
      vi.stubEnv("TZ", zone)
      const due = dayMoment("2026-12-03")
      assert.strictEqual(due, THIRD)
      assert.strictEqual(dateValue(THIRD), "2026-12-03", zone)
      const noon = (day: number) => new Date(2026, 11, day, 12).getTime()
      assert.deepStrictEqual([dueText(THIRD, noon(3)), dueText(THIRD, noon(4))], ["today", "yesterday"], zone)
      const overdueAt = (now: number) => isOverdue({ dueAt: THIRD, status: "todo" }, now)
      assert.isFalse(overdueAt(new Date(2026, 11, 3, 23, 59, 59).getTime()), zone)
      assert.isTrue(overdueAt(new Date(2026, 11, 4, 0, 0, 1).getTime()), zone)
    }
  })

  it("keeps what older versions stored: the day's last second where it was chosen", () => {
    for (const chosen of [
      "America/Los_Angeles",
      "Pacific/Honolulu",
      "Asia/Tokyo",
      "Asia/Kolkata",
      "Pacific/Auckland",
      "UTC"
    ]) {
      vi.stubEnv("TZ", chosen)
      const stored = new Date(2026, 11, 3, 23, 59, 59).getTime()
      // A zone a whole day ahead has the same clock, so the two can't be distinguished.
      for (const zone of ["America/Los_Angeles", "Asia/Tokyo", "Asia/Kolkata", "UTC", chosen]) {
        vi.stubEnv("TZ", zone)
        assert.strictEqual(dateValue(stored), "2026-12-03", `${chosen} read in ${zone}`)
        assert.strictEqual(dateValue(stored + 999), "2026-12-03", `${chosen} read in ${zone}`)
      }
    }
  })

  it("of another moment is the reader's, and of no time is none", () => {
    vi.stubEnv("TZ", "Asia/Tokyo")
    assert.strictEqual(dateValue(THIRD + 16.5 * 3_600_000), "2026-12-04")
    assert.strictEqual(dateValue(5), "1970-01-01")
    for (const at of [Number.NaN, Number.POSITIVE_INFINITY, 1e300]) {
      assert.strictEqual(dateValue(at), "")
      assert.strictEqual(dueText(at, NOW), "")
      assert.isFalse(isOverdue({ dueAt: at, status: "todo" }, NOW))
    }
    for (const day of ["", "soon", "2026-02-30", "2026-12-3", "1969-12-31"]) assert.isUndefined(dayMoment(day))
    assert.strictEqual(dayMoment("2028-02-29"), Date.UTC(2028, 1, 29))
    assert.strictEqual((dayMoment("2026-03-29") ?? 0) + DAY, dayMoment("2026-03-30"))
  })
})
