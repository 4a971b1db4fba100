import { assert, describe, it } from "@effect/vitest"
import { editOf } from "../../../../src/services/conversations/history/toolText.ts"
import type { ChatItem, ToolItem } from "../../../src/core/conversation/chatTypes.ts"
import { exportMarkdown, fileNameOf } from "../../../src/core/conversation/exportMarkdown.ts"
import { searchItems } from "../../../src/core/conversation/findMessage.ts"
import { groupTools, toolsText } from "../../../src/core/conversation/groupTools.ts"
import { createLogWindow } from "../../../src/core/conversation/LogWindow.ts"
import { speechOf } from "../../../src/core/conversation/speech.ts"

const say = (key: string, text = key): ChatItem => ({
  kind: "assistant",
  key,
  at: 0,
  text,
  streaming: false,
  model: null,
  injected: false,
  usage: null
})
const tool = (key: string, change: Partial<ToolItem> = {}): ToolItem => ({
  kind: "tool",
  key,
  at: 0,
  callId: key,
  name: "exec",
  title: null,
  args: { command: "ls" },
  output: "",
  status: "done",
  startedAt: null,
  durationMs: null,
  ...change
})
const many = (count: number, from = 0) => Array.from({ length: count }, (_, index) => say(`m${from + index}`))

describe("what is drawn of a long conversation", () => {
  it("is its end, which stays put for a reader while items are added", () => {
    const shown = createLogWindow()
    assert.deepStrictEqual(shown.range(many(5_000)), { start: 4_760, end: 5_000 })
    assert.deepStrictEqual(shown.range(many(10)), { start: 0, end: 10 })
    shown.pin(many(5_000))
    assert.deepStrictEqual(shown.range(many(5_050)), { start: 4_760, end: 5_050 })
    assert.deepStrictEqual(shown.range(many(5_500)), { start: 4_760, end: 5_120 })
    shown.unpin()
    assert.deepStrictEqual(shown.range(many(5_500)), { start: 5_260, end: 5_500 })
  })

  it("moves through the whole of it in steps, and never grows beyond its limit", () => {
    const shown = createLogWindow()
    const items = many(5_000)
    let steps = 0
    while (shown.up(items)) {
      const { start, end } = shown.range(items)
      assert.isAtMost(end - start, 360)
      steps++
    }
    assert.deepStrictEqual([steps, shown.range(items).start], [40, 0])
    // Older messages that come in before keep the place.
    assert.deepStrictEqual(shown.range([...many(100, 10_000), ...items]), { start: 100, end: 460 })
    while (shown.down(items)) assert.isAtMost(shown.range(items).end, 5_000)
    assert.deepStrictEqual(shown.range(items), { start: 4_640, end: 5_000 })
  })

  it("goes where a search wants, and back to the end when the conversation was emptied", () => {
    const shown = createLogWindow()
    assert.isTrue(shown.show(many(5_000), "m42"))
    assert.deepStrictEqual(shown.range(many(5_000)), { start: 0, end: 360 })
    assert.isFalse(shown.show(many(5_000), "gone"))
    assert.deepStrictEqual(shown.range([say("other")]), { start: 0, end: 1 })
  })
})

describe("rows of tool calls", () => {
  const keys = (items: ReadonlyArray<ChatItem>) =>
    groupTools(items, 7).map((part) =>
      part.kind === "tools" ? `${part.tools.length} tools` : `${part.index} ${part.key}`
    )

  it("become one line when there are more than four, and only finished ones", () => {
    const row = [1, 2, 3, 4, 5].map((index) => tool(`t${index}`))
    assert.deepStrictEqual(keys([say("a"), ...row, say("b")]), ["7 a", "5 tools", "13 b"])
    assert.deepStrictEqual(keys(row.slice(1)), ["7 t2", "8 t3", "9 t4", "10 t5"])
    assert.deepStrictEqual(keys([...row, tool("now", { status: "running" })]), ["5 tools", "12 now"])
    assert.deepStrictEqual(keys([]), [])
  })

  it("say what they were", () => {
    assert.strictEqual(toolsText([{ name: "exec" }, { name: "read" }, { name: "exec" }]), "2 × exec, read")
  })
})

describe("edits", () => {
  it("are recognised whichever way a tool spells its arguments", () => {
    const edit = { path: "a.ts", before: "x", after: "y" }
    for (const args of [
      { path: "a.ts", oldText: "x", newText: "y" },
      { file_path: "a.ts", old_string: "x", new_string: "y" },
      { filePath: "a.ts", edits: [{ oldText: "x", newText: "y" }] }
    ])
      assert.deepStrictEqual(editOf(args), edit)
    for (const odd of [null, [], "x", { oldText: "x" }, { oldText: "x", newText: "x" }, { oldText: 1, newText: 2 }])
      assert.isNull(editOf(odd))
  })
})

describe("search", () => {
  it("finds texts, thoughts and tool calls, whatever their case", () => {
    const items: ReadonlyArray<ChatItem> = [
      say("a", "Lighthouse"),
      tool("t", { output: "the LIGHT is on" }),
      { kind: "aborted", key: "x", at: null },
      say("b", "dark")
    ]
    assert.deepStrictEqual(searchItems(items, " light "), ["a", "t"])
    assert.deepStrictEqual(searchItems(items, "ls"), ["t"])
    assert.deepStrictEqual(searchItems(items, "  "), [])
  })
})

describe("a saved conversation", () => {
  it("has everything that was said, with fences that nothing inside can close", () => {
    const text = exportMarkdown("A\ntitle", [
      {
        kind: "user",
        key: "u",
        at: 0,
        text: "hi",
        images: [{ name: "a.png", src: null }],
        delivery: "sent",
        error: null
      },
      say("a", "answer"),
      tool("t", { output: "```\nnot the end\n```", status: "error" }),
      { kind: "error", key: "e", at: null, message: "It broke." },
      { kind: "aborted", key: "x", at: null }
    ])
    assert.strictEqual(
      text,
      [
        "# A title",
        "## You · 1970-01-01 00:00 UTC",
        "hi",
        "*Picture: a.png*",
        "## Agent · 1970-01-01 00:00 UTC",
        "answer",
        "**Tool `exec`** (error)",
        '```json\n{\n  "command": "ls"\n}\n```',
        "````\n```\nnot the end\n```\n````",
        "**Error:** It broke.",
        "*Stopped*\n"
      ].join("\n\n")
    )
  })

  it("has a name that every system takes", () => {
    assert.strictEqual(fileNameOf("../Über: <alles>?"), "U-ber-alles.md")
    assert.strictEqual(fileNameOf("///"), "conversation.md")
  })
})

describe("what is read aloud", () => {
  const turn = { sessionKey: "s", outcome: "done" as const, question: "[voice] how are you" }
  it("is the first speech marker, else the whole answer", () => {
    assert.deepStrictEqual(speechOf({ ...turn, text: "[tts: Fine.] [tts: Two] I am **fine**." }), {
      sessionKey: "s",
      text: "Fine.",
      asked: true
    })
    assert.strictEqual(speechOf({ ...turn, text: "I am fine." })?.text, "I am fine.")
    assert.isFalse(speechOf({ ...turn, question: "typed", text: "x" })?.asked)
    assert.isNull(speechOf({ ...turn, text: " " }))
    assert.isNull(speechOf({ ...turn, outcome: "error", text: "x" }))
  })
})
