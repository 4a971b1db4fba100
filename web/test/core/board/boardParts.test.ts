import { assert, describe, it } from "@effect/vitest"
import { createBoardChoices } from "../../../src/core/board/BoardChoices.ts"
import { allColumns, columnLabel, columnTitle, countText, emptyText } from "../../../src/core/board/columns.ts"
import { configPatch, configProblem, movedColumn } from "../../../src/core/board/configEdit.ts"
import { configOf } from "../../../src/core/board/readBoard.ts"
import { runProgress } from "../../../src/core/board/runProgress.ts"
import { createObservable } from "../../../src/core/common/Observable.ts"
import type { ChatItem, ChatState } from "../../../src/core/conversation/chatTypes.ts"
import { createGatewayLink } from "../../../src/core/link/GatewayLink.ts"
import { FakeGateway } from "../support/FakeGateway.ts"
import { CONFIG } from "./FakeBoard.ts"

const config = configOf(CONFIG)
const settings = () => config

it("of a column that's named twice, the first counts", () => {
  const columns = [
    { key: "todo", title: "First", visible: true },
    { key: "todo", title: "Again", visible: true }
  ] as const
  assert.deepStrictEqual(configOf({ ...CONFIG, columns }).columns, [{ ...columns[0], wipLimit: 0 }])
})

describe("columns", () => {
  it("that the configuration does not name are hidden, but there", () => {
    const few = configOf({ ...CONFIG, columns: [{ key: "done", title: "Ready", visible: true }] })
    assert.deepStrictEqual(
      allColumns(few).map(({ key, hidden }) => [key, hidden]),
      [
        ["done", false],
        ["backlog", true],
        ["todo", true],
        ["in-progress", true],
        ["review", true],
        ["cancelled", true]
      ]
    )
    assert.strictEqual(columnTitle(few, "done"), "Ready")
    assert.isTrue(allColumns(null).every(({ hidden }) => !hidden))
  })
})

describe("a column's texts", () => {
  it("count matches and say that there are none while searching, else count cards", () => {
    const column = { shown: 0, total: 3, wipLimit: 5, filtering: true }
    assert.deepStrictEqual(
      [countText(column), columnLabel("To Do", column), emptyText("todo", true)],
      ["0", "To Do, 0 matches", "No matches"]
    )
    assert.strictEqual(columnLabel("To Do", { ...column, shown: 1 }), "To Do, 1 match")
    const whole = { ...column, shown: 3, filtering: false }
    assert.deepStrictEqual([countText(whole), columnLabel("To Do", whole)], ["3 of 5", "To Do, 3 of 5 cards"])
    assert.strictEqual(columnLabel("To Do", { ...whole, total: 1, wipLimit: 0 }), "To Do, 1 card")
    assert.strictEqual(emptyText("review", false), "Nothing to review.")
  })
})

describe("settings", () => {
  it("only what was changed is sent", () => {
    const base = settings()
    assert.deepStrictEqual(configPatch(base, base), {})
    const columns = movedColumn(base.columns, 1, -1)
    assert.deepStrictEqual(
      columns.slice(0, 2).map(({ key }) => key),
      ["todo", "backlog"]
    )
    const edit = { ...base, columns, reviewRequired: false, defaults: { ...base.defaults, priority: "high" as const } }
    const patch = configPatch(base, edit)
    assert.deepStrictEqual(Object.keys(patch).sort(), ["columns", "defaults", "reviewRequired"])
    assert.deepStrictEqual(patch.defaults, { priority: "high" })
    assert.strictEqual(movedColumn(base.columns, 0, -1), base.columns)
  })
  it("say what is wrong with them", () => {
    const base = settings()
    assert.isNull(configProblem(base))
    assert.match(configProblem({ ...base, quickViewLimit: 51 }) ?? "", /1 to 50/)
    assert.match(
      configProblem({ ...base, columns: base.columns.map((column) => ({ ...column, title: " " })) }) ?? "",
      /title/
    )
    assert.match(
      configProblem({ ...base, columns: base.columns.map((column) => ({ ...column, visible: false })) }) ?? "",
      /one column/
    )
  })
})

describe("what an agent does just now", () => {
  const base = { key: "k", at: 1 }
  const doing = (...items: ReadonlyArray<ChatItem>) => {
    const chat: ChatState = {
      sessionKey: "s",
      status: "ready",
      message: null,
      deleted: false,
      items,
      activity: "STREAMING",
      running: true,
      aborting: false,
      linked: true,
      queued: 0,
      phase: null,
      hasOlder: false,
      loadingOlder: false
    }
    return runProgress(chat)
  }
  const said = (text: string): ChatItem => ({
    ...base,
    kind: "assistant",
    text,
    streaming: true,
    model: null,
    injected: false,
    usage: null
  })
  it("is the tool at work, and nothing while its words are shown themselves", () => {
    assert.strictEqual(doing(), "")
    assert.strictEqual(doing(said("## One\n\n**two** `three`")), "")
    const tool: ChatItem = {
      ...base,
      kind: "tool",
      callId: "c",
      name: "exec",
      title: "show the day",
      args: {},
      output: "",
      status: "running",
      startedAt: 1,
      durationMs: null
    }
    assert.strictEqual(doing(said("x"), tool), "Using show the day…")
    assert.strictEqual(doing(said("x"), { ...tool, status: "done" }), "")
  })

  it("isn't hidden by messages to the agent meanwhile", () => {
    const card: ChatItem = { ...base, kind: "user", text: "go", images: [], delivery: "sent", error: null }
    assert.strictEqual(doing(card), "Getting started…")
    const thought: ChatItem = { ...base, kind: "thinking", text: "hm", streaming: true }
    assert.strictEqual(doing(card, thought, { ...card, key: "k2" }), "Thinking: hm")
    assert.strictEqual(doing(card, { ...card, key: "k2" }), "Getting started…")
  })
})

describe("choices", () => {
  it("asked for before the gateway is there come as soon as it is", async () => {
    const gateway = new FakeGateway()
    gateway.answers["agents.list"] = () => ({ agents: [{ id: "main" }, { id: "writer" }, "x"] })
    const link = createGatewayLink({ env: gateway.env, needsLogin: async () => false, clientVersion: "1" })
    const sessions = { state: createObservable({ rows: [] }) }
    const choices = createBoardChoices(
      { link, sessions },
      {
        models: async () => ({ ok: true, value: [{ id: "demo/swift", label: "Swift", provider: "demo" }] })
      }
    )
    await choices.refresh()
    assert.deepStrictEqual(choices.state.get().agents, ["agent:main"])
    const complete = new Promise<void>((resolve) => {
      choices.state.subscribe(({ agents }) => {
        if (agents.length > 1) resolve()
      })
    })
    link.connect()
    await complete
    assert.deepStrictEqual(choices.state.get(), {
      models: [{ id: "demo/swift", label: "Swift", provider: "demo" }],
      agents: ["agent:main", "agent:writer"]
    })
    link.dispose()
  })
})
