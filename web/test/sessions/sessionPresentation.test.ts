import { assert, describe, it } from "@effect/vitest"
import { costLabel } from "../../src/core/sessions/costLabel.ts"
import type { SessionNode, SessionRow } from "../../src/core/sessions/sessionTypes.ts"
import { nextIndex } from "../../src/sessions/moveFocus.ts"
import { contextShare, costText, sessionEntries, stateLabel } from "../../src/sessions/sessionPresentation.ts"
import { sessionRow } from "../support/sessionRow.ts"

const node = (
  title: string,
  depth: number,
  children: ReadonlyArray<SessionNode> = [],
  change: Partial<SessionRow> = {}
): SessionNode => ({
  row: sessionRow({ key: `agent:main:${title}`, title, model: "demo/steady", ...change }),
  depth,
  children
})

const NOW = new Date(2026, 10, 23, 12).getTime()
const HOUR = 3_600_000

const tree = [
  node("Report", 0, [node("Facts", 1, [node("Deep", 2, [node("Deeper", 3, [node("Deepest", 4)])])])]),
  node("Other", 0)
]

const list = (
  nodes: ReadonlyArray<SessionNode>,
  change: { query?: string; opened?: ReadonlyArray<string>; activeKey?: string; limit?: number } = {}
) =>
  sessionEntries(nodes, {
    query: "",
    activeKey: "",
    limit: 60,
    now: NOW,
    gateways: [],
    ...change,
    opened: new Set(change.opened)
  }).map((entry) => {
    if (entry.kind === "session") return `${entry.depth} ${entry.row.title}`
    return entry.kind === "heading" ? `# ${entry.name}` : `${entry.depth} +${entry.hidden}`
  })

describe("sessionEntries", () => {
  it("lists children under their parents and stops indenting at the third level", () => {
    assert.deepStrictEqual(list(tree), ["0 Report", "1 Facts", "2 Deep", "3 Deeper", "3 Deepest", "0 Other"])
  })

  it("keeps sessions that have every word in title or model, without indentation", () => {
    assert.deepStrictEqual(list(tree, { query: "  STEADY deep " }), ["0 Deep", "0 Deeper", "0 Deepest"])
    assert.lengthOf(list(tree, { query: "nothing" }), 0)
  })

  it("is not found by its key, but the main conversation is by what it is", () => {
    const main = node("Home", 0, [], { key: "agent:main:main", kind: "main" })
    assert.deepStrictEqual(list([...tree, main], { query: "main" }), ["0 Home"])
    assert.lengthOf(list(tree, { query: "agent" }), 0)
  })

  it("is found by an agent that is not the main one", () => {
    const other = node("Else", 0, [], { agentId: "research" })
    assert.deepStrictEqual(list([...tree, other], { query: "research" }), ["0 Else"])
  })

  it("begins with the main conversation, which no limit leaves out", () => {
    const many = Array.from({ length: 500 }, (_, index) => node(`s${index}`, 0))
    const main = node("Main", 0, [node("Helper", 1)], { key: "agent:main:main", kind: "main" })
    const shown = list([...many, main], { limit: 60 })
    assert.deepStrictEqual(shown.slice(0, 3), ["0 Main", "1 Helper", "0 s0"])
    assert.lengthOf(shown, 62)
    assert.deepStrictEqual(list([...many, main], { limit: 1, query: "steady" }), ["0 Main"])
  })

  it("leaves the rest of a large family out until it is asked for, but never what wants attention", () => {
    const runs = Array.from({ length: 6 }, (_, index) => node(`run ${index}`, 1))
    const job = node("Job", 0, [...runs, node("failed", 1, [], { state: "error" }), node("open", 1)])
    const shut = ["0 Job", "1 run 0", "1 run 1", "1 run 2", "1 failed", "1 open", "1 +3"]
    assert.deepStrictEqual(list([job], { activeKey: "agent:main:open" }), shut)
    assert.deepStrictEqual(list([job], { opened: ["agent:main:Job"] }).slice(-2), ["1 open", "1 +0"])
    assert.deepStrictEqual(list([job], { query: "run 5" }), ["0 run 5"])
  })

  it("stands under the names of the agents where there are several", () => {
    const other = node("Else", 0, [], { agentId: "research" })
    assert.deepStrictEqual(list([tree[1] ?? other, other, node("Third", 0)]), [
      "# main",
      "0 Other",
      "0 Third",
      "# research",
      "0 Else"
    ])
  })

  it("stands under days where there are several, a family under that of its newest", () => {
    const main = node("Main", 0, [], { key: "agent:main:main", kind: "main" })
    const at = (title: string, hours: number, children: ReadonlyArray<SessionNode> = []) =>
      node(title, 0, children, { updatedAt: NOW - hours * HOUR })
    const job = at("Job", 90, [node("Run", 1, [], { updatedAt: NOW - 14 * HOUR })])
    assert.deepStrictEqual(list([at("Now", 0), at("Morning", 11.9), job, at("Long ago", 60), main]), [
      "0 Main",
      "# Today",
      "0 Now",
      "0 Morning",
      "# Yesterday",
      "0 Job",
      "1 Run",
      "# Older",
      "0 Long ago"
    ])
    assert.deepStrictEqual(list([main, at("Now", 0), at("Morning", 3)]), ["0 Main", "0 Now", "0 Morning"])
  })

  it("draws no more families than the limit", () => {
    const many = Array.from({ length: 500 }, (_, index) => node(`s${index}`, 0))
    assert.lengthOf(list(many, { limit: 60 }), 60)
    assert.lengthOf(list(many, { limit: 60, query: "s" }), 60)
  })
})

describe("figures of a session", () => {
  it("are left out where the gateway does not tell them, and never out of bounds", () => {
    assert.isNull(contextShare({ totalTokens: null, contextTokens: 100 }))
    assert.isNull(contextShare({ totalTokens: 5, contextTokens: 0 }))
    assert.strictEqual(contextShare({ totalTokens: 50, contextTokens: 200 }), 0.25)
    assert.strictEqual(contextShare({ totalTokens: 500, contextTokens: 200 }), 1)
    assert.deepStrictEqual([null, 0, 0.004, 0.005, 1.239, 99.99, 1_234.5].map(costText), [
      "",
      "",
      "",
      "$0.01",
      "$1.24",
      "$99.99",
      "$1,235"
    ])
  })
})

describe("stateLabel", () => {
  it("has different words for each state that asks for attention", () => {
    const labels = (["working", "waiting", "unread", "error"] as const).map(stateLabel)
    assert.deepStrictEqual(labels, ["Working", "Waiting for you", "New response", "Failed"])
    assert.strictEqual(stateLabel("idle"), "")
  })
})

describe("nextIndex", () => {
  it("walks and stays within the list", () => {
    assert.strictEqual(nextIndex("ArrowDown", 0, 3), 1)
    assert.strictEqual(nextIndex("ArrowDown", 2, 3), 2)
    assert.strictEqual(nextIndex("ArrowUp", 0, 3), 0)
    assert.strictEqual(nextIndex("End", 0, 3), 2)
    assert.strictEqual(nextIndex("Home", 2, 3), 0)
  })
})

it("a session's cost is that of its last response where the gateway doesn't add up", () => {
  assert.strictEqual(costLabel(4), "Cost of the last response (gateway's estimate)")
  assert.strictEqual(costLabel(3), "Cost so far (gateway's estimate)")
})
