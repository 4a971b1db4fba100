import { randomUUID } from "node:crypto"
import { rmSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, PubSub, Schema } from "effect"
import { TestClock } from "effect/testing"
import { GatewaySessions } from "../../../src/services/usage/gatewayUsage.ts"
import { temporaryFolder } from "../../support/fileServices.ts"
import { makeGatewayApp } from "../../support/gatewayApp.ts"
import { answerLine, lines, sessionsFolder, write } from "../../support/transcripts.ts"

const TODAY = "2026-11-22"
const NOW = Date.parse(`${TODAY}T10:00:00.000Z`)

const KEYS = [
  "agent:main:main",
  "agent:main:task-card-one-1",
  "agent:main:task-card-one-2",
  "agent:main:cron:daily:run:1"
] as const

const start = Effect.fnUntraced(function* (generation: "new" | "old") {
  yield* TestClock.setTime(NOW)
  const folder = yield* temporaryFolder
  const settings = {
    svcHome: `${folder}/svc`,
    gatewayHome: `${folder}/gateway`,
    usageFile: `${folder}/gateway/token-usage.json`
  }
  const app = yield* makeGatewayApp({ generation, seed: false }, { settings })
  const events = yield* app.client.events
  for (const sessionKey of KEYS) {
    const runId = randomUUID()
    yield* app.client.request("chat.send", { sessionKey, message: "hello", idempotencyKey: runId }, Schema.Unknown)
    const isEnd = Schema.is(Schema.Struct({ runId: Schema.Literal(runId), state: Schema.Literal("final") }))
    yield* PubSub.take(events).pipe(Effect.repeat({ until: ({ payload }) => isEnd(payload) }))
  }
  const history = (query: string) =>
    Effect.map(app.send("GET", `/api/tokens/history?from=${TODAY}&to=${TODAY}&${query}`), ({ body }) => body.rows)
  return { ...app, ...settings, history }
})

const works = (rows: ReadonlyArray<{ readonly work: string; readonly messageCount: number }>) =>
  rows.map(({ work, messageCount }) => [work, messageCount])

describe("GET /api/tokens/history?group=work", () => {
  it.effect("adds up what each card and each job took, on a gateway that counts itself", () =>
    Effect.gen(function* () {
      const { history } = yield* start("new")
      const rows = yield* history("group=work")
      assert.deepStrictEqual(works(rows), [
        ["", 1],
        ["cron:daily", 1],
        ["task:card-one", 2]
      ])
      const [all] = yield* history("group=day")
      const sum = rows.reduce((total: number, row: { readonly cost: number }) => total + row.cost, 0)
      assert.closeTo(sum, all.cost, 1e-9)
      assert.strictEqual((yield* history("group=day,work")).length, 3)
    })
  )

  it.effect("does so from transcripts, and still does when they and their sessions are gone", () =>
    Effect.gen(function* () {
      const { client, control, gatewayHome, history } = yield* start("old")
      const { sessions } = yield* client.request("sessions.list", {}, GatewaySessions)
      const files = KEYS.map((key) => sessions.find((session) => session.key === key)?.sessionId ?? "missing")
      const path = sessionsFolder(gatewayHome)
      for (const [index, id] of files.entries()) {
        write(path, `${id}.jsonl`, lines(answerLine({ at: NOW, cost: 2 ** index, input: 1, output: 1 })))
      }
      yield* TestClock.adjust("61 seconds")
      const expected = [
        ["", 1],
        ["cron:daily", 8],
        ["task:card-one", 2 + 4]
      ]
      const costs = Effect.map(history("group=work"), (rows) =>
        rows.map(({ work, cost }: { readonly work: string; readonly cost: number }) => [work, cost])
      )
      assert.deepStrictEqual(yield* costs, expected)
      for (const id of files) rmSync(`${path}/${id}.jsonl`)
      yield* control.stop
      yield* TestClock.adjust("61 seconds")
      assert.deepStrictEqual(yield* costs, expected)
    })
  )
})
