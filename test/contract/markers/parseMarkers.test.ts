import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { parseMarkers } from "../../../src/contract/markers/parseMarkers.ts"

const chart = (object: object) => `[chart:${JSON.stringify(object)}]`
const bar = { type: "bar", title: "T", data: { labels: ["a", "b"], values: [1, 2] } }
const task = (kind: string, payload: object | string) =>
  `[kanban:${kind}]${typeof payload === "string" ? payload : JSON.stringify(payload)}[/kanban:${kind}]`

/** Text of which no part can be a marker. */
const Plain = Schema.String.check(Schema.makeFilter((text: string) => !text.includes("[")))
/** Pieces that look like markers, whole and torn. */
const Piece = Schema.Literals([
  "[tts: hi]",
  "[tts:",
  "[chart:",
  "[chart:{",
  chart(bar),
  task("create", { title: "x" }),
  "[kanban:create]",
  "[/kanban:create]",
  task("update", "{"),
  "]",
  "}",
  "[",
  '"',
  "\\",
  "text ",
  "[link](x)",
  "\n\n",
  "[kanban:",
  "```"
])

describe("speech", () => {
  it("the first marker is kept, all are removed", () => {
    const marked = parseMarkers("a [tts: one [two] ] b [tts:three] c")
    assert.deepStrictEqual([marked.text, marked.speech], ["a  b  c", "one [two]"])
    assert.isNull(parseMarkers("[tts: ]").speech)
  })
})

describe("speech", () => {
  const speechOf = (text: string) => {
    const marked = parseMarkers(text)
    return { speech: marked.speech, text: marked.text }
  }

  it("may hold brackets, emoji and line breaks", () => {
    assert.deepStrictEqual(speechOf("x [tts: see [1] and [2]\r\n🎉] y"), {
      speech: "see [1] and [2]\r\n🎉",
      text: "x  y"
    })
  })

  it("with brackets that do not balance ends at the first closing one, once the text is whole", () => {
    assert.deepStrictEqual(speechOf("[tts: a [ b] c"), { speech: "a [ b", text: " c" })
    assert.strictEqual(parseMarkers("[tts: a [ b] c", true).text, "")
  })
})

describe("charts", () => {
  it.each([
    { type: "tv", symbol: "X:Y" },
    { type: "line", data: { labels: ["a"], values: [1] } },
    { type: "area", data: { labels: [2024], series: [{ name: "s", values: [1] }] } },
    { type: "candle", data: { labels: ["a"], candles: [{ open: 1, high: 2, low: 0, close: 1 }] } },
    { type: "bar", title: ']} " [', data: { labels: ["]"], values: [1] } },
    { type: "pie", data: { labels: ["a"], values: [1] } }
  ])("%j stands at its place", (object) => {
    const { parts } = parseMarkers(`before ${chart(object)} after`)
    assert.deepStrictEqual(
      parts.map((part) => (part.kind === "chart" ? part.chart.type : part.text)),
      ["before ", object.type, " after"]
    )
  })

  it("the interval of a widget falls back to a week", () => {
    const [part] = parseMarkers(chart({ type: "tv", symbol: "A", interval: 15 })).parts
    assert.deepStrictEqual(part, { kind: "chart", chart: { type: "tv", title: null, symbol: "A", interval: "15" } })
    const [other] = parseMarkers(chart({ type: "tv", symbol: "A", interval: "2" })).parts
    assert.isTrue(other?.kind === "chart" && other.chart.type === "tv" && other.chart.interval === "W")
  })

  it.each([
    "[chart:not json]",
    "[chart:{]",
    '[chart:{"type":"bar"}]',
    chart({ type: "tv" }),
    chart({ type: "bar", data: { labels: ["a"], values: ["1"] } }),
    chart({ type: "candle", data: { labels: ["a"], candles: [{ open: 1 }] } }),
    chart({ ...bar, type: "radar" }),
    chart({ type: "line", data: { labels: [], values: [] } })
  ])("%s stays text", (text) => {
    assert.deepStrictEqual(parseMarkers(`a ${text} b`).parts, [{ kind: "text", text: `a ${text} b` }])
  })
})

describe("tasks", () => {
  it("keep their known fields and vanish from the text", () => {
    const marked = parseMarkers(
      `x ${task("create", { title: "T", labels: ["l"], run: { evil: 1 } })} y ${task("update", { id: "1", result: "r" })}`
    )
    assert.strictEqual(marked.text, "x  y ")
    assert.deepStrictEqual(marked.tasks, [
      { kind: "create", payload: { title: "T", labels: ["l"] } },
      { kind: "update", payload: { id: "1", result: "r" } }
    ])
  })

  it("are five at most, 2 KB at most, and skipped when they are damaged", () => {
    assert.strictEqual(parseMarkers(task("create", { title: "t" }).repeat(7)).tasks.length, 5)
    assert.strictEqual(parseMarkers(task("create", { title: "t" }).repeat(7)).text, "")
    const of = (bytes: number) => task("create", { title: "t", description: "é".repeat((bytes - 30) / 2) })
    assert.deepStrictEqual([parseMarkers(of(2_040)).tasks.length, parseMarkers(of(2_100)).tasks.length], [1, 0])
    for (const bad of ["{", "null", "[]", '{"title":" "}', '{"title":5}'])
      assert.deepStrictEqual(parseMarkers(task("create", bad)).tasks, [])
    assert.deepStrictEqual(parseMarkers(task("update", { title: "no id" })).tasks, [])
  })
})

describe("task markers", () => {
  const payloads = (text: string) => parseMarkers(text).tasks.map((marker) => marker.payload)

  it("may span lines and hold brackets, braces, tags, other markers and emoji in strings", () => {
    const title = 'a } { ] [ \\" [/kanban:create] [kanban:create] [tts: x] 🎉'
    const json = `\n{\r\n  "title": ${JSON.stringify(title)},\n "labels": ["x]", "{y"]\n}\n`
    const marked = parseMarkers(`a ${task("create", json)}`)
    assert.deepStrictEqual(marked.tasks, [{ kind: "create", payload: { title, labels: ["x]", "{y"] } }])
    assert.deepStrictEqual([marked.text, marked.speech], ["a ", null])
  })

  it("that are malformed are skipped, not shown, and do not count", () => {
    const bad = ["", "{", "[]", "null", '"x"', '{"title":}', '{"title":"x"} more', "text"]
    const text = bad.map((json) => task("create", json)).join("")
    const marked = parseMarkers(`${text}${task("create", { title: "good" })}`)
    assert.deepStrictEqual(marked.tasks, [{ kind: "create", payload: { title: "good" } }])
    assert.strictEqual(marked.text, "")
  })

  it("may hold 2 KB and not a byte more", () => {
    const sized = (bytes: number, filler: string) => {
      const count = Math.floor((bytes - '{"title":"","description":""}'.length - 1) / Buffer.byteLength(filler))
      return task("create", { title: "t", description: filler.repeat(count) })
    }
    const exact = task("create", `{"title":"t","description":"${"x".repeat(2048 - 30)}"}`)
    assert.strictEqual(payloads(exact).length, 1)
    assert.strictEqual(payloads(sized(2050, "x")).length, 0)
    assert.strictEqual(payloads(sized(2048, "🎉")).length, 1)
    assert.strictEqual(payloads(sized(2060, "🎉")).length, 0)
    assert.strictEqual(parseMarkers(`a${sized(5000, "x")}b`).text, "ab")
  })

  it("that are only mentioned stay as text", () => {
    const text = `Write [kanban:create] and then JSON. ${task("create", { title: "A" })} A lone [/kanban:update] too.`
    const marked = parseMarkers(text)
    assert.strictEqual(marked.tasks.length, 1)
    assert.strictEqual(marked.text, "Write [kanban:create] and then JSON.  A lone [/kanban:update] too.")
    assert.strictEqual(parseMarkers("[kanban:create]{").text, "[kanban:create]{")
  })
})

describe("while a text streams", () => {
  it("a marker shows nothing until it is whole, and never shows a part of itself", () => {
    const whole = `Hello ${chart(bar)} and [tts: say] and ${task("create", { title: "x" })} end`
    for (let length = 0; length <= whole.length; length++) {
      const { text } = parseMarkers(whole.slice(0, length), true)
      assert.isTrue("Hello  and  and  end".startsWith(text), `${length}: ${text}`)
    }
  })

  it("a marker that never ends is text in the end", () => {
    assert.strictEqual(parseMarkers("a [tts: b").text, "a [tts: b")
    assert.strictEqual(parseMarkers("a [tts: b", true).text, "a ")
    assert.strictEqual(parseMarkers("see [1", true).text, "see [1")
  })
})

describe("always", () => {
  it.prop("plain text comes back to the letter", [Plain], ([text]) => {
    for (const streaming of [false, true]) assert.strictEqual(parseMarkers(text, streaming).text, text)
  })

  it.prop("text around markers is kept to the letter", [Plain, Plain, Plain], ([a, b, c]) => {
    const { parts } = parseMarkers(`${a}[tts: x]${b}${chart(bar)}${c}`)
    assert.deepStrictEqual(
      parts.map((part) => (part.kind === "text" ? part.text : "chart")),
      [...(a + b === "" ? [] : [a + b]), "chart", ...(c === "" ? [] : [c])]
    )
  })

  it.prop(
    "never throws, adds nothing, and agrees with itself",
    [Schema.Array(Piece), Schema.Boolean],
    ([pieces, streaming]) => {
      const text = pieces.join("")
      const marked = parseMarkers(text, streaming)
      assert.isAtMost(marked.text.length, text.length)
      assert.strictEqual(marked.text, marked.parts.map((part) => (part.kind === "text" ? part.text : "")).join(""))
      assert.deepStrictEqual(parseMarkers(text, streaming), marked)
    }
  )

  it("a megabyte of hostile text costs linear time", () => {
    const megabyte = (unit: string) => unit.repeat(Math.ceil(1_000_000 / unit.length))
    const kept = [
      "[kanban:create]",
      "[kanban:create]{",
      "[chart:{",
      '[chart:{"',
      "[chart: ",
      "[",
      "[[tts:",
      "[tts:"
    ].map(megabyte)
    const others = [
      megabyte('[kanban:create]{"[/kanban:create]'),
      `${megabyte("[kanban:create]{")}[/kanban:create]`,
      megabyte("[kanban:create][/kanban:create]"),
      megabyte("[tts:]"),
      `${megabyte("[tts:[")}]`,
      megabyte(task("create", { title: "x" }))
    ]
    // A quadratic parser would take minutes and run into the time limit.
    for (const text of kept) assert.strictEqual(parseMarkers(text).text, text)
    for (const text of [...kept, ...others]) parseMarkers(text, true)
    for (const text of others) parseMarkers(text)
    assert.strictEqual(parseMarkers(others.at(-1) ?? "").tasks.length, 5)
  })
})
