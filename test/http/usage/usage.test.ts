import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, PubSub } from "effect"
import { TestClock } from "effect/testing"
import { temporaryFolder } from "../../support/fileServices.ts"
import { makeApp } from "../../support/makeApp.ts"
import {
  answerLine,
  append,
  lines,
  RECORDED_SUMS,
  recordedLines,
  sessionsFolder,
  write
} from "../../support/transcripts.ts"
import { worded } from "../../support/worded.ts"

const home = Effect.map(temporaryFolder, (folder) => ({
  svcHome: `${folder}/svc`,
  gatewayHome: `${folder}/gateway`,
  usageFile: `${folder}/gateway/token-usage.json`
}))

const startApp = Effect.fnUntraced(function* (settings: Effect.Success<typeof home>) {
  const app = yield* makeApp({ settings })
  const tokens = Effect.flatMap(app.request("/api/tokens"), app.json)
  return { ...app, tokens }
})

describe("GET /api/tokens", () => {
  it.effect("answers zeros when there is nothing to count", () =>
    Effect.gen(function* () {
      const app = yield* startApp(yield* home)
      assert.deepStrictEqual(yield* app.tokens, {
        totalCost: 0,
        totalInput: 0,
        totalOutput: 0,
        totalMessages: 0,
        entries: [],
        persistent: { totalInput: 0, totalOutput: 0, totalCost: 0, lastUpdated: "1970-01-01T00:00:00.000Z" },
        updatedAt: 0
      })
    })
  )

  it.effect("adds up every agent's transcripts by provider, exactly", () =>
    Effect.gen(function* () {
      const settings = yield* home
      write(sessionsFolder(settings.gatewayHome), "one.jsonl", lines(...recordedLines))
      write(
        sessionsFolder(settings.gatewayHome, "writer"),
        "two.jsonl",
        lines(answerLine({ provider: "other", input: 7, output: 2, cost: 0.5 }))
      )
      const app = yield* startApp(settings)
      const { messages, errors, input, output, cost } = RECORDED_SUMS
      assert.deepStrictEqual(yield* app.tokens, {
        totalCost: 0.586458,
        totalInput: input + 7,
        totalOutput: output + 2,
        totalMessages: messages + 1,
        entries: [
          {
            source: "other",
            cost: 0.5,
            messageCount: 1,
            inputTokens: 7,
            outputTokens: 2,
            cacheReadTokens: 0,
            errorCount: 0
          },
          {
            source: "mock",
            cost,
            messageCount: messages,
            inputTokens: input,
            outputTokens: output,
            cacheReadTokens: 0,
            errorCount: errors
          }
        ],
        persistent: {
          totalInput: input + 7,
          totalOutput: output + 2,
          totalCost: 0.586458,
          lastUpdated: "1970-01-01T00:00:00.000Z"
        },
        updatedAt: 0
      })
    })
  )

  it.effect("answers everybody who asks while it counts", () =>
    Effect.gen(function* () {
      const settings = yield* home
      write(sessionsFolder(settings.gatewayHome), "a.jsonl", lines(answerLine({ input: 7 })))
      const app = yield* startApp(settings)
      const answers = yield* Effect.forEach([1, 2, 3], () => app.request("/api/tokens"), { concurrency: "unbounded" })
      for (const answer of answers) assert.deepInclude(yield* app.json(answer), { totalInput: 7 })
    })
  )

  it.effect("answers from memory for 60 s, then publishes changes as tokens.updated", () =>
    Effect.gen(function* () {
      const settings = yield* home
      const folder = sessionsFolder(settings.gatewayHome)
      write(folder, "a.jsonl", lines(answerLine({ input: 1, output: 1, cost: 1 })))
      const app = yield* startApp(settings)
      const events = yield* app.events.subscribe
      const first = yield* app.tokens
      assert.deepInclude(first, { totalInput: 1 })
      assert.deepInclude(yield* PubSub.take(events), {
        event: "tokens.updated",
        data: { totalCost: 1, totalInput: 1, totalOutput: 1, updatedAt: 0 }
      })
      append(folder, "a.jsonl", lines(answerLine({ input: 2, output: 2, cost: 2 })))
      assert.deepStrictEqual(yield* app.tokens, first)
      yield* TestClock.adjust("61 seconds")
      const { data } = yield* PubSub.take(events)
      assert.deepInclude(data, { totalCost: 3, totalInput: 3, totalOutput: 3 })
      assert.deepInclude(yield* app.tokens, { totalCost: 3, totalInput: 3, totalOutput: 3 })
    })
  )

  it.effect("keeps what was counted when a transcript is deleted, over restarts and without its database", () =>
    Effect.gen(function* () {
      const settings = yield* home
      const folder = sessionsFolder(settings.gatewayHome)
      write(folder, "a.jsonl", lines(answerLine({ input: 10, output: 1, cost: 1 })))
      write(folder, "b.jsonl", lines(answerLine({ input: 5, output: 2, cost: 2 })))
      yield* Effect.scoped(Effect.flatMap(startApp(settings), (app) => app.tokens))
      rmSync(`${folder}/a.jsonl`)
      const persistent = { totalInput: 15, totalOutput: 3, totalCost: 3, lastUpdated: "1970-01-01T00:00:00.000Z" }
      const second = yield* Effect.scoped(Effect.flatMap(startApp(settings), (app) => app.tokens))
      assert.deepInclude(second, { totalInput: 5, totalCost: 2, persistent })
      assert.deepStrictEqual(JSON.parse(readFileSync(settings.usageFile, "utf8")), persistent)
      rmSync(`${settings.svcHome}/usage.db`)
      rmSync(`${settings.svcHome}/usage.db-wal`, { force: true })
      const third = yield* Effect.scoped(Effect.flatMap(startApp(settings), (app) => app.tokens))
      assert.deepInclude(third, { totalInput: 5, totalCost: 2, persistent })
    })
  )

  it.effect("sets a damaged database aside and counts again", () =>
    Effect.gen(function* () {
      const settings = yield* home
      mkdirSync(settings.svcHome)
      writeFileSync(`${settings.svcHome}/usage.db`, "this is no database, it only lies where one should be".repeat(100))
      write(sessionsFolder(settings.gatewayHome), "a.jsonl", lines(answerLine({ input: 10, output: 1, cost: 1 })))
      const app = yield* startApp(settings)
      assert.deepInclude(yield* app.tokens, { totalInput: 10, totalCost: 1 })
      assert.isTrue(readdirSync(settings.svcHome).some((name) => name.startsWith("usage.db.damaged-")))
    })
  )

  it.effect("says that nothing can be counted where its database cannot be made, and counts once it can", () =>
    Effect.gen(function* () {
      const settings = yield* home
      mkdirSync(`${settings.svcHome}/usage.db`, { recursive: true })
      write(sessionsFolder(settings.gatewayHome), "a.jsonl", lines(answerLine({ input: 10 })))
      const app = yield* startApp(settings)
      const response = yield* app.request("/api/tokens")
      assert.strictEqual(response.status, 500)
      assert.deepStrictEqual(worded(yield* app.json(response)), {
        error: "usage_unavailable",
        details: "couldn't count the token usage: the console's log has the cause"
      })
      rmSync(`${settings.svcHome}/usage.db`, { recursive: true })
      assert.deepInclude(yield* app.tokens, { totalInput: 10 })
    })
  )

  it.effect("does not follow an agent's folder that is a link to somewhere else", () =>
    Effect.gen(function* () {
      const settings = yield* home
      write(sessionsFolder(settings.gatewayHome), "a.jsonl", lines(answerLine({ input: 10 })))
      write(sessionsFolder(`${settings.gatewayHome}/elsewhere`), "b.jsonl", lines(answerLine({ input: 1000 })))
      symlinkSync(`${settings.gatewayHome}/elsewhere/agents/main`, `${settings.gatewayHome}/agents/linked`)
      mkdirSync(`${settings.gatewayHome}/agents/inner`)
      symlinkSync(
        `${settings.gatewayHome}/elsewhere/agents/main/sessions`,
        `${settings.gatewayHome}/agents/inner/sessions`
      )
      const app = yield* startApp(settings)
      assert.deepInclude(yield* app.tokens, { totalInput: 10 })
    })
  )
})
