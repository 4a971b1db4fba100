import { assert, describe, it } from "@effect/vitest"
import { ordersIn } from "../../../scripts/gateway/mockOrders.ts"
import { piecesOf, replyTo, typedIn } from "../../../scripts/gateway/mockReply.ts"

const user = (content: unknown) => ({ role: "user", content })
const reply = (text: string, tools: ReadonlyArray<string> = [], after: ReadonlyArray<string> = []) =>
  replyTo({ messages: [user(text), ...after.map((content) => ({ role: "tool", content }))], tools })

describe("what the scripted model takes for a person's words", () => {
  it("is without what gateways put around them", () => {
    const metadata = 'Sender (untrusted metadata):\n```json\n{"id":"x"}\n```\n\n'
    for (const wrapped of [
      "hello there",
      "[Fri 2026-11-27 15:44 UTC] hello there",
      `${metadata}[Fri 2026-11-27 15:44 UTC] hello there`,
      `[Fri 2026-11-27 15:44 UTC] ${metadata}hello there`,
      "<<<BEGIN_CONTEXT>>>\nprivate\n<<<END_CONTEXT>>>\nhello there",
      "hello there\n\nRuntime: agent=main | model=mock"
    ])
      assert.strictEqual(typedIn(wrapped), "hello there", wrapped)
    assert.strictEqual(
      typedIn([
        { type: "text", text: "hello " },
        { type: "text", text: "there" }
      ]),
      "hello there"
    )
    assert.strictEqual(typedIn(null), "")
  })
})

describe("the scripted model", () => {
  it("echoes the last words of a person", () => {
    const messages = [
      user("first"),
      { role: "assistant", content: "x" },
      user("second"),
      user("<<<BEGIN_A>>>b<<<END_A>>>")
    ]
    assert.strictEqual(replyTo({ messages, tools: [] }).text, "echo: second")
    assert.strictEqual(reply("hello [[mock:delay=7]] [[mock:chunks=3]]").text, "echo: hello")
    assert.deepInclude(reply("hello [[mock:delay=7]] [[mock:chunks=3]]"), { delayMs: 7, pieces: 3, hang: false })
  })

  it("says, thinks, repeats, hangs, fails and counts as ordered", () => {
    assert.strictEqual(reply("[[mock:text=a\\nb]]").text, "a\nb")
    assert.strictEqual(reply("[[mock:text=ab]][[mock:repeat=3]]").text, "ababab")
    assert.deepInclude(reply("[[mock:think=hm]][[mock:text=so]]"), { think: "hm", text: "so" })
    assert.isTrue(reply("[[mock:hang]]").hang)
    assert.strictEqual(reply("[[mock:error=429]]").error, 429)
    assert.notProperty(reply("fine"), "error")
    assert.deepStrictEqual(reply("[[mock:usage=7000,700,1]]").usage, { input: 7000, output: 700, cached: 1 })
    assert.deepInclude(reply("[[mock:usage=10]][[mock:text=12345678]]").usage, { input: 10, output: 2, cached: 0 })
    assert.strictEqual(reply('[[mock:text=x {"a":[1]} [/b] y.]]').text, 'x {"a":[1]} [/b] y.')
    assert.strictEqual(reply("[[mock:text=open").text, "echo: [[mock:text=open")
  })

  it("calls tools one after the other, then answers with what the last one said", () => {
    const orders = '[[mock:before=look]] [[mock:tool=exec {"command":"test [[ -e x ]]"}]] [[mock:tool=read]]'
    const tools = ["exec", "read"]
    const first = reply(orders, tools)
    assert.deepInclude(first, { text: "look", think: "" })
    assert.deepStrictEqual(first.tool, { name: "exec", args: { command: "test [[ -e x ]]" } })
    assert.deepStrictEqual(reply(orders, tools, ["done"]).tool, { name: "read", args: {} })
    const last = reply(orders, tools, ["done", "r".repeat(500)])
    assert.notProperty(last, "tool")
    assert.strictEqual(last.text, `tool said: ${"r".repeat(400)}`)
    assert.strictEqual(reply(`${orders}[[mock:text=through]]`, tools, ["done", "read"]).text, "through")
  })

  it("calls a tool that isn't listed through the one that calls others", () => {
    const orders = '[[mock:tool=hidden {"a":1}]]'
    assert.deepStrictEqual(reply(orders, ["tool_call"]).tool, {
      name: "tool_call",
      args: { id: "hidden", args: { a: 1 } }
    })
    assert.deepStrictEqual(reply(orders, ["exec"]).tool, { name: "hidden", args: { a: 1 } })
  })

  it("has a scene for each of the words that --help names, and only for the word alone", () => {
    assert.isAbove(reply("slow").delayMs, 100)
    assert.strictEqual(reply("tool").tool?.name, "exec")
    assert.deepStrictEqual(reply("approval").tool?.args, { command: "touch approved.txt" })
    assert.strictEqual(reply("question").tool?.name, "ask_user")
    assert.isNotEmpty(reply("think").think)
    assert.strictEqual(reply("fail").error, 400)
    assert.isTrue(reply("hang").hang)
    assert.strictEqual(reply("a slow one").text, "echo: a slow one")
    assert.strictEqual(ordersIn("constructor").plain, "constructor")
  })
})

describe("the pieces of an answer", () => {
  it("are about as many as wanted, and whole together", () => {
    assert.deepStrictEqual(piecesOf("abcdefg", 3), ["abc", "def", "g"])
    assert.deepStrictEqual(piecesOf("ab", 40), ["a", "b"])
    assert.deepStrictEqual(piecesOf("", 3), [])
    assert.deepStrictEqual(piecesOf("ab", 0), ["ab"])
  })
})
