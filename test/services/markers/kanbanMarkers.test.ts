import { assert, describe, it } from "@effect/vitest"
import { kanbanMarkers } from "../../../src/services/markers/kanbanMarkers.ts"

const create = (json: string) => `[kanban:create]${json}[/kanban:create]`
const payloads = (text: string) => kanbanMarkers(text).markers.map((marker) => marker.payload)

describe("task markers", () => {
  it("are found and taken out of the text", () => {
    const text = `Before.\r\n${create('{"title":"A"}')}\r\nBetween [kanban:update]{"id":"x"}[/kanban:update] after.`
    assert.deepStrictEqual(kanbanMarkers(text), {
      markers: [
        { type: "create", payload: { title: "A" } },
        { type: "update", payload: { id: "x" } }
      ],
      text: "Before.\r\nBetween  after."
    })
  })

  it("may span lines and hold brackets, braces, tags and emoji in strings", () => {
    const title = 'a } { ] [ \\" [/kanban:create] [kanban:create] 🎉'
    const json = `\n{\r\n  "title": ${JSON.stringify(title)},\n "labels": ["x]", "{y"]\n}\n`
    assert.deepStrictEqual(kanbanMarkers(`a ${create(json)}`), {
      markers: [{ type: "create", payload: { title, labels: ["x]", "{y"] } }],
      text: "a "
    })
  })

  it("beyond the fifth are ignored and still not shown", () => {
    const text = Array.from({ length: 7 }, (_, index) => create(`{"title":"${index}"}`)).join("")
    assert.deepStrictEqual(
      payloads(text).map((payload) => payload.title),
      ["0", "1", "2", "3", "4"]
    )
    assert.strictEqual(kanbanMarkers(text).text, "")
  })

  it("that are malformed are skipped and do not count", () => {
    const bad = ["", "{", "[]", "null", '"x"', '{"title":}', '{"title":"x"} more', "text"].map(create).join("\n")
    const found = kanbanMarkers(`${bad}\n${create('{"title":"good"}')}`)
    assert.deepStrictEqual(found.markers, [{ type: "create", payload: { title: "good" } }])
    assert.strictEqual(found.text, "")
  })

  it("may hold 2 KB and not a byte more", () => {
    const sized = (bytes: number, filler: string) => {
      const count = Math.floor((bytes - '{"title":""}'.length) / Buffer.byteLength(filler))
      return create(`{"title":"${filler.repeat(count)}"}`)
    }
    assert.strictEqual(payloads(sized(2048, "x")).length, 1)
    assert.strictEqual(payloads(sized(2049, "x")).length, 0)
    assert.strictEqual(payloads(sized(2048, "🎉")).length, 1)
    assert.strictEqual(payloads(sized(2060, "🎉")).length, 0)
    assert.strictEqual(kanbanMarkers(`a${sized(5000, "x")}b`).text, "ab")
  })

  it("that are only mentioned stay as text", () => {
    const text = `Write [kanban:create] and then JSON. ${create('{"title":"A"}')} A lone [/kanban:update] too.`
    const found = kanbanMarkers(text)
    assert.strictEqual(found.markers.length, 1)
    assert.strictEqual(found.text, "Write [kanban:create] and then JSON.  A lone [/kanban:update] too.")
    assert.strictEqual(kanbanMarkers("[kanban:create]{").text, "[kanban:create]{")
  })

  it("keep the parser's work linear on hostile text", () => {
    const megabyte = (unit: string) => unit.repeat(Math.ceil(1_000_000 / unit.length))
    const hostile = [
      megabyte("[kanban:create]"),
      megabyte("[kanban:create]{"),
      megabyte('[kanban:create]{"[/kanban:create]'),
      `${megabyte("[kanban:create]{")}[/kanban:create]`,
      megabyte("[kanban:create][/kanban:create]"),
      megabyte(create('{"title":"x"}'))
    ]
    // Each is parsed many times over: a quadratic parser would take minutes and run into the time limit.
    for (const text of hostile) for (let turn = 0; turn < 3; turn += 1) kanbanMarkers(text)
    assert.strictEqual(kanbanMarkers(hostile[5] ?? "").markers.length, 5)
  })
})
