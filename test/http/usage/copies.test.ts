import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { UsageHistory, UsageSummary } from "../../../src/contract/schema/usage.ts"
import { openDatabase } from "../../../src/services/platform/sqlite/openDatabase.ts"
import { usageMigrations } from "../../../src/services/usage/store/usageMigrations.ts"
import { temporaryFolder } from "../../support/fileServices.ts"
import { makeApp } from "../../support/makeApp.ts"
import { answerLine, append, lines, sessionsFolder, write } from "../../support/transcripts.ts"

const home = Effect.map(temporaryFolder, (folder) => ({
  svcHome: `${folder}/svc`,
  gatewayHome: `${folder}/gateway`,
  usageFile: `${folder}/gateway/token-usage.json`
}))
type Home = Effect.Success<typeof home>

const DAY = "2026-03-20"
const answer = (id: string, minute = 0) =>
  answerLine({ id, at: Date.parse(`${DAY}T10:00:00.000Z`) + minute * 60_000, input: 10, output: 1, cost: 0.1 })
const THREE = [answer("a1", 1), answer("a2", 2), answer("a3", 3)] as const
const CHECKPOINT = "S.checkpoint.0b2d6e4e-7d7c-4a53-8f3a-6a1d2b6d1c11.jsonl"

const Answers = {
  summary: Schema.decodeUnknownSync(UsageSummary),
  history: Schema.decodeUnknownSync(UsageHistory)
}

const counted = Effect.fnUntraced(function* (settings: Home) {
  const app = yield* makeApp({ settings })
  const get = (path: string) => Effect.flatMap(app.request(path), app.json)
  const summary = Answers.summary(yield* get("/api/tokens"))
  const { rows } = Answers.history(yield* get(`/api/tokens/history?from=${DAY}&to=${DAY}&group=session`))
  return { summary, rows }
}, Effect.scoped)

const totals = (messages: number) => ({
  totalMessages: messages,
  totalInput: messages * 10,
  totalCost: messages / 10
})

describe("an answer that several files have", () => {
  it.effect("counts once: in a checkpoint, a fork, a backup and a line that was written twice", () =>
    Effect.gen(function* () {
      const settings = yield* home
      const folder = sessionsFolder(settings.gatewayHome)
      write(folder, "S.jsonl", lines(...THREE, THREE[2]))
      write(folder, CHECKPOINT, lines(THREE[0], THREE[1]))
      write(folder, "S copy.jsonl", lines(...THREE))
      write(folder, "fork.jsonl", lines(THREE[0], answer("f1", 9)))
      write(sessionsFolder(settings.gatewayHome, "writer"), "T.jsonl", lines(THREE[1]))
      const { summary, rows } = yield* counted(settings)
      assert.deepInclude(summary, totals(4))
      assert.deepInclude(summary, {
        persistent: { totalInput: 40, totalOutput: 4, totalCost: 0.4, lastUpdated: "1970-01-01T00:00:00.000Z" }
      })
      assert.deepStrictEqual(
        rows.reduce((sum, row) => sum + row.messageCount, 0),
        4
      )
    })
  )

  it.effect("belongs to its session, and still counts when only the copy is left", () =>
    Effect.gen(function* () {
      const settings = yield* home
      const folder = sessionsFolder(settings.gatewayHome)
      write(folder, "S.jsonl", lines(...THREE))
      write(folder, CHECKPOINT, lines(THREE[0], THREE[1]))
      const both = yield* counted(settings)
      assert.deepInclude(both.summary, totals(3))
      assert.deepInclude(both.rows[0], { agent: "main", session: "S", messageCount: 3 })
      // Shortened after the checkpoint was made.
      write(folder, "S.jsonl", lines(THREE[2]))
      assert.deepInclude((yield* counted(settings)).summary, totals(3))
      rmSync(`${folder}/${CHECKPOINT}`)
      assert.deepInclude((yield* counted(settings)).summary, totals(1))
      const { summary, rows } = yield* counted(settings)
      assert.deepInclude(summary.persistent, { totalInput: 30, totalCost: 0.3 })
      assert.deepInclude(rows[0], { session: "S", messageCount: 3 })
    })
  )

  it.effect("is another answer if only its short id is the same", () =>
    Effect.gen(function* () {
      const settings = yield* home
      const folder = sessionsFolder(settings.gatewayHome)
      write(folder, "S.jsonl", lines(answer("a1", 1)))
      write(folder, "T.jsonl", lines(answer("a1", 2)))
      assert.deepInclude((yield* counted(settings)).summary, totals(2))
    })
  )

  it.effect("is known by the response's id, or by its session, time and content, where it has none", () =>
    Effect.gen(function* () {
      const settings = yield* home
      const folder = sessionsFolder(settings.gatewayHome)
      const withoutId = (minute: number) => answer("", minute).replace('"id":"",', "")
      const responded = (id: string) => withoutId(1).replace('"stopReason"', `"responseId":"${id}","stopReason"`)
      write(folder, "S.jsonl", lines(responded("r1"), responded("r2"), withoutId(2), withoutId(3)))
      write(folder, CHECKPOINT, lines(responded("r1"), withoutId(2)))
      write(folder, "fork.jsonl", lines(responded("r2")))
      assert.deepInclude((yield* counted(settings)).summary, totals(4))
    })
  )
})

const sums = (messages: number) => [messages, 0, messages * 10, messages, 0, 0, messages * 100_000_000]

/** What a version kept that took every file for a session of its own: each with how many answers it counted. */
const countedWrong = (settings: Home, sessions: ReadonlyArray<readonly [string, number]>, isSettled = true) => {
  mkdirSync(settings.svcHome, { recursive: true })
  const options = {
    path: `${settings.svcHome}/usage.db`,
    what: "it",
    migrations: usageMigrations,
    onDamage: "fail"
  } as const
  const database = Result.getOrThrow(openDatabase(options, ""))
  database.transaction((db) => {
    for (const [index, [session, messages]] of sessions.entries()) {
      db.run(
        "INSERT INTO transcripts VALUES (?, ?, ?, 'main', ?, 1, 0, 0, 0, 0, '', '')",
        index + 1,
        `${settings.gatewayHome}/agents/main/sessions`,
        `${session}.jsonl`,
        session
      )
      const row = [DAY, "mock", "mock-fast", 1]
      db.run(
        "INSERT INTO transcript_usage VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        index + 1,
        ...row,
        ...sums(messages)
      )
      db.run(
        "INSERT INTO kept_usage VALUES (?, 'main', ?, 'mock', 'mock-fast', 1, ?, ?, ?, ?, ?, ?, ?)",
        DAY,
        session,
        ...sums(messages)
      )
      db.run("INSERT INTO sessions VALUES ('main', ?, ?)", session, `${DAY}T10:59:00.000Z`)
    }
    if (isSettled) db.run("INSERT INTO carried VALUES (1, 0, 0, 0, ?)", `${DAY}T11:00:00.000Z`)
    return Result.void
  })
  database.close()
}

const stem = CHECKPOINT.replace(".jsonl", "")
const persistent = (messages: number) => ({
  totalInput: messages * 10,
  totalOutput: messages,
  totalCost: messages / 10
})

describe("totals that an older version counted wrong", () => {
  for (const isCopyThere of [true, false]) {
    it.effect(`are counted anew, with the copy ${isCopyThere ? "still there" : "gone"}`, () =>
      Effect.gen(function* () {
        const settings = yield* home
        const folder = sessionsFolder(settings.gatewayHome)
        countedWrong(settings, [
          ["S", 3],
          [stem, 2]
        ])
        write(folder, "S.jsonl", lines(...THREE))
        if (isCopyThere) write(folder, CHECKPOINT, lines(THREE[0], THREE[1]))
        for (const _ of [1, 2]) {
          const { summary, rows } = yield* counted(settings)
          assert.deepInclude(summary, totals(3))
          assert.deepInclude(summary.persistent, persistent(3))
          assert.strictEqual(rows.length, 1)
          assert.deepInclude(rows[0], { session: "S", messageCount: 3, cost: 0.3 })
        }
        append(folder, "S.jsonl", lines(answer("a4", 90)))
        assert.deepInclude((yield* counted(settings)).summary.persistent, persistent(4))
      })
    )
  }

  it.effect("keep what no file has any more, and lose the copies in forks and lines written twice", () =>
    Effect.gen(function* () {
      const settings = yield* home
      const folder = sessionsFolder(settings.gatewayHome)
      // Two answers of S were in a deleted file; two of the fork are copies, and one line is duplicated.
      countedWrong(settings, [
        ["S", 5],
        ["fork", 4],
        ["gone", 7]
      ])
      write(folder, "S.jsonl", lines(...THREE))
      write(folder, "fork.jsonl", lines(THREE[0], THREE[1], answer("f1", 9), answer("f1", 9)))
      const { summary, rows } = yield* counted(settings)
      assert.deepInclude(summary, totals(4))
      assert.deepInclude(summary.persistent, persistent(13))
      assert.deepStrictEqual(
        rows.map(({ session, messageCount }) => [session, messageCount]),
        [
          ["S", 5],
          ["fork", 1],
          ["gone", 7]
        ]
      )
    })
  )

  it.effect("are put right in USAGE_FILE, too, before everything has been counted once", () =>
    Effect.gen(function* () {
      const settings = yield* home
      const folder = sessionsFolder(settings.gatewayHome)
      countedWrong(
        settings,
        [
          ["S", 3],
          [stem, 2]
        ],
        false
      )
      // It has two answers of an even older count.
      writeFileSync(settings.usageFile, JSON.stringify({ ...persistent(7), lastUpdated: `${DAY}T11:00:00.000Z` }))
      write(folder, "S.jsonl", lines(...THREE))
      for (const _ of [1, 2]) {
        const { summary } = yield* counted(settings)
        assert.deepInclude(summary.persistent, persistent(5))
        assert.deepInclude(JSON.parse(readFileSync(settings.usageFile, "utf8")), persistent(5))
      }
    })
  )
})
