import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { UsageHistory, UsageSummary } from "../../../src/contract/schema/usage.ts"
import { temporaryFolder } from "../../support/fileServices.ts"
import { makeApp } from "../../support/makeApp.ts"
import { answerLine, lines, sessionsFolder, write } from "../../support/transcripts.ts"

const DAY = "2026-11-20"
const decodeSummary = Schema.decodeUnknownSync(UsageSummary)
const decodeHistory = Schema.decodeUnknownSync(UsageHistory)

const counted = Effect.fnUntraced(function* (...transcript: ReadonlyArray<string>) {
  const folder = yield* temporaryFolder
  const settings = { svcHome: `${folder}/svc`, gatewayHome: `${folder}/gateway`, usageFile: `${folder}/usage.json` }
  write(sessionsFolder(settings.gatewayHome), "a.jsonl", lines(...transcript))
  const app = yield* makeApp({ settings })
  const get = (path: string) => Effect.flatMap(app.request(path), app.json)
  const summary = decodeSummary(yield* get("/api/tokens"))
  const { rows } = decodeHistory(yield* get(`/api/tokens/history?from=${DAY}&to=${DAY}&group=model`))
  return { summary, rows }
})

/** A response whose cost or other usage is in another format. */
const withUsage = (provider: string, usage: string) =>
  answerLine({ id: provider, provider, input: 20_000, output: 0 }).replace(/"usage":\{.*?\}\}/, `"usage":{${usage}}`)
const withCost = (provider: string, cost: string) =>
  withUsage(provider, `"input":20000,"output":0,"cacheRead":0,"cacheWrite":0${cost === "" ? "" : `,"cost":${cost}`}`)

describe("what an answer cost", () => {
  const unknown = {
    missing: "",
    null: "null",
    nothing: "{}",
    zero: '{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}',
    text: '{"total":"much"}',
    notANumber: '{"total":"NaN"}',
    bareNotANumber: '{"total":NaN}',
    endless: '{"total":1e999}',
    negative: '{"total":-0.5}',
    wordless: '{"total":null}'
  }

  for (const [provider, cost] of Object.entries(unknown)) {
    it.effect(`is unknown, not nothing: ${provider}`, () =>
      Effect.gen(function* () {
        const { summary, rows } = yield* counted(
          withCost(provider, cost),
          answerLine({ id: "b", provider: "paid", cost: 0.25 })
        )
        assert.strictEqual(summary.totalCost, 0.25)
        assert.strictEqual(summary.totalInput, 20_100)
        const entry = summary.entries.find(({ source }) => source === provider)
        assert.deepInclude(entry, { cost: 0, inputTokens: 20_000, priced: false })
        assert.notProperty(
          summary.entries.find(({ source }) => source === "paid"),
          "priced"
        )
        assert.deepInclude(
          rows.find((row) => row.provider === provider),
          { cost: 0, priced: false }
        )
        assert.notProperty(
          rows.find((row) => row.provider === "paid"),
          "priced"
        )
      })
    )
  }

  const readable = {
    text: '{"total":"0.5"}',
    dollars: '{"total":"$0.50"}',
    bareNumber: "0.5",
    bareText: '"0.5"',
    parts: '{"input":0.25,"output":0.25,"cacheRead":0,"cacheWrite":0}',
    partsAndZero: '{"input":0.25,"output":0.25,"total":0}',
    partsAsText: '{"input":"0.25","output":"0.25"}'
  }

  for (const [provider, cost] of Object.entries(readable)) {
    it.effect(`is read where it can be: ${provider}`, () =>
      Effect.gen(function* () {
        const { summary, rows } = yield* counted(withCost(provider, cost))
        assert.strictEqual(summary.totalCost, 0.5)
        assert.notProperty(summary.entries[0], "priced")
        assert.deepInclude(rows[0], { cost: 0.5, inputTokens: 20_000 })
      })
    )
  }

  it.effect("is unknown for a sum that has some of it, and tokens written as text count", () =>
    Effect.gen(function* () {
      const { summary, rows } = yield* counted(
        withUsage("mixed", '"input":"20000","output":"5","cost":{"total":"0.5"}'),
        answerLine({ id: "b", provider: "mixed", input: 10, cost: null })
      )
      assert.deepInclude(summary.entries[0], { cost: 0.5, inputTokens: 20_010, outputTokens: 15, priced: false })
      assert.deepInclude(rows[0], { cost: 0.5, priced: false })
    })
  )

  it.effect("is nothing where no tokens were used", () =>
    Effect.gen(function* () {
      const { summary } = yield* counted(
        answerLine({ id: "a", input: 0, output: 0, cost: 0, stopReason: "error" }),
        answerLine({ id: "b", input: 0, output: 0, cost: null })
      )
      assert.notProperty(summary.entries[0], "priced")
    })
  )
})
