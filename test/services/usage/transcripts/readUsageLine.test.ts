import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { readUsageLine } from "../../../../src/services/usage/transcripts/readUsageLine.ts"
import { answerLine, RECORDED_SUMS, recordedLines, userLine } from "../../../support/transcripts.ts"

const read = (text: string | Buffer) => {
  const bytes = Buffer.from(text)
  // Lines are read out of the middle of a buffer.
  const buffer = Buffer.concat([Buffer.from("before\n"), bytes, Buffer.from(`\n${answerLine({ input: 77_777 })}\n`)])
  return readUsageLine(buffer, 7, 7 + bytes.length)
}

it("adds up a recorded session exactly", () => {
  const found = recordedLines.flatMap((line) => read(line) ?? [])
  const sum = (pick: (line: (typeof found)[number]) => number) => found.reduce((total, line) => total + pick(line), 0)
  assert.deepStrictEqual(
    {
      messages: sum((line) => line.messages),
      errors: sum((line) => line.errors),
      input: sum((line) => line.input),
      output: sum((line) => line.output),
      cost: sum((line) => line.nanoDollars) / 1e9
    },
    { ...RECORDED_SUMS }
  )
})

it("reads every field of an answer, whatever the order of its fields", () => {
  const line = answerLine({ id: "a1", at: Date.parse("2026-01-02T03:04:05.678Z"), input: 12, output: 3, cost: 0.25 })
  const value: Record<string, unknown> = JSON.parse(line)
  const reversed = JSON.stringify(Object.fromEntries(Object.entries(value).reverse()))
  const expected = {
    id: "a1",
    writtenAt: "2026-01-02T03:04:05.678Z",
    day: "2026-01-02",
    provider: "mock",
    model: "mock-fast",
    priced: true,
    messages: 1,
    errors: 0,
    input: 12,
    output: 3,
    cacheRead: 0,
    cacheWrite: 0,
    nanoDollars: 250_000_000
  }
  assert.deepStrictEqual(read(line), expected)
  assert.deepStrictEqual(read(reversed), expected)
})

it("leaves out what is no answer of a model", () => {
  for (const line of [
    "",
    "{",
    "null",
    "[]",
    userLine('"role":"assistant","usage":{"input":5}'),
    answerLine({ provider: "openclaw" }),
    answerLine().slice(0, -20),
    answerLine().replace('"usage"', '"other"'),
    answerLine().replace('"type":"message"', '"type":"custom"').replace('"api"', '"apis"'),
    `{"type":"message","usage":{"input":1},"text":"assistant"}`
  ]) {
    assert.isUndefined(read(line), line)
  }
})

it("is not misled by usage inside what the agent wrote or called", () => {
  const fake = '],"api":"x","provider":"evil","usage":{"input":999,"cost":{"total":9}},"stopReason":"error"}}'
  assert.strictEqual(read(answerLine({ text: fake }))?.input, 100)
  const call = answerLine().replace(
    '"content":[',
    '"content":[{"type":"toolCall","arguments":{"a":[1],"api":"x","usage":{"input":999}}},'
  )
  assert.strictEqual(read(call)?.input, 100)
  const last = answerLine().replace(/}}$/, ',"details":{"a":[1],"api":"x","usage":{"input":999}}}}')
  assert.strictEqual(read(last)?.input, 100)
})

it("counts an answer whose text is no valid UTF-8", () => {
  const [head = "", tail = ""] = answerLine({ text: "MARK" }).split("MARK")
  const damaged = Buffer.concat([Buffer.from(head), Buffer.from([0xff, 0xfe, 0xc3]), Buffer.from(tail)])
  assert.strictEqual(read(damaged)?.input, 100)
  assert.strictEqual(read(Buffer.from(damaged.toString("latin1").replace('"api"', '"kind"'), "latin1"))?.output, 10)
})

it("takes counts that are no numbers as none and knows an answer without cost", () => {
  const odd = answerLine({ cost: null }).replace('"input":100', '"input":"many"').replace('"output":10', '"output":-4')
  assert.deepInclude(read(odd), { input: 0, output: 0, priced: false, nanoDollars: 0, messages: 1 })
  assert.strictEqual(read(answerLine({ stopReason: "error" }))?.errors, 1)
})

it("counts an answer however its time is written, in universal time", () => {
  const written = (time: unknown) =>
    read(answerLine().replace('"timestamp":"2026-11-20T10:00:00.000Z"', `"timestamp":${JSON.stringify(time)}`))
  const times: ReadonlyArray<readonly [unknown, string]> = [
    ["2026-11-20T10:18:02Z", "2026-11-20T10:18:02.000Z"],
    ["2026-11-20T10:18:02.474612Z", "2026-11-20T10:18:02.474Z"],
    ["2026-11-20T00:30:00+02:00", "2026-11-19T22:30:00.000Z"],
    [1_795_169_882_474, "2026-11-20T10:18:02.474Z"],
    // The message has a time of its own.
    ["some day", "2026-11-20T10:00:00.000Z"],
    [1e300, "2026-11-20T10:00:00.000Z"],
    [null, "2026-11-20T10:00:00.000Z"]
  ]
  for (const [time, expected] of times) {
    assert.deepInclude(written(time), { writtenAt: expected, day: expected.slice(0, 10), input: 100 })
  }
})

it.prop(
  "reads the same from the end of a line as from all of it, in every language",
  [Schema.String, Schema.String, Schema.Int],
  ([text, model, count]) => {
    const line = answerLine({ text, model: `${model}é模型`, input: Math.abs(count) })
    assert.deepStrictEqual(read(line), read(line.replace('"api":"openai', '"kind":"openai')))
    assert.strictEqual(read(line)?.input, Math.abs(count))
  }
)
