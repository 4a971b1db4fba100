import { assert, describe, it } from "@effect/vitest"
import { letsStart } from "../../../../src/services/board/automatic/automaticRules.ts"

const HELD = { status: "todo", after: ["a", "b"], autoStart: true, startAt: 5 } as const
const ANY_TIME = { status: "todo", after: ["a"], autoStart: true } as const

describe("a change can make a card start by itself", () => {
  it.each([
    ["it's to start by itself from now on", { ...HELD, autoStart: false }, { autoStart: true }],
    ["it comes to `todo`", { ...HELD, status: "backlog" } as const, { status: "todo" } as const],
    ["it waits for fewer cards", HELD, { after: ["a"] }],
    ["it waits for another card instead", HELD, { after: ["a", "c"] }],
    ["it waits for none", HELD, { after: null }],
    ["its time comes earlier", HELD, { startAt: 4 }],
    ["it has no time any more", HELD, { startAt: null }],
    ["another agent is to do it", HELD, { assignee: "agent:coder" }],
    ["no agent is named any more", { ...HELD, assignee: "agent:coder" }, { assignee: null }],
    ["its failed runs are tried again", { ...HELD, status: "in-progress" } as const, { retry: { max: 3, waitMin: 0 } }]
  ])("when %s", (_, before, changes) => {
    assert.isTrue(letsStart(before, changes))
  })

  it.each([
    ["it doesn't start by itself", { ...HELD, autoStart: false }, { after: [], startAt: null }],
    ["it's not to start by itself any more", HELD, { autoStart: false, after: null }],
    ["it's not in `todo`", { ...HELD, status: "backlog" } as const, { after: null }],
    ["it leaves `todo`", HELD, { status: "backlog", after: null } as const],
    ["it waits for more cards, and longer", HELD, { after: ["a", "b", "c"], startAt: 6 }],
    ["its agent stays the same", { ...HELD, assignee: "agent:coder" }, { assignee: "agent:coder" }],
    ["its failed runs aren't tried again", HELD, { retry: null }],
    ["it gets a time", ANY_TIME, { startAt: 6 }],
    ["it stays in `todo`", HELD, { status: "todo" } as const]
  ])("but not when %s", (_, before, changes) => {
    assert.isFalse(letsStart(before, changes))
  })
})
