import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { TestClock } from "effect/testing"
import type { BudgetScope, NewBudget } from "../../../src/contract/schema/budget.ts"
import { spentBetween } from "../../../src/services/budgets/spendTable.ts"
import { makeBookWorld } from "./bookWorld.ts"

const NOON = Date.UTC(2026, 10, 27, 12)
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const KEY = "agent:main:work"
const ALL: NewBudget = { scope: { kind: "all" }, period: "day", limit: { turns: 2 }, zone: "UTC" }

const CHILD = "agent:coder:subagent:one"
const SESSIONS = [KEY, "agent:main:task-card-1", "agent:coder:cron:nightly:run:1", CHILD] as const
/** Whose spending counts for which scope: the child belongs to the card's session. */
const SCOPES: ReadonlyArray<readonly [BudgetScope, ReadonlyArray<string>]> = [
  [{ kind: "all" }, SESSIONS],
  [{ kind: "gateway", gatewayId: "primary" }, SESSIONS],
  [{ kind: "gateway", gatewayId: "other" }, []],
  [{ kind: "agent", agentId: "main" }, [KEY, "agent:main:task-card-1", CHILD]],
  [{ kind: "agent", agentId: "coder" }, ["agent:coder:cron:nightly:run:1"]],
  [{ kind: "task", taskId: "card" }, ["agent:main:task-card-1", CHILD]],
  [{ kind: "job", jobId: "nightly" }, ["agent:coder:cron:nightly:run:1"]],
  [{ kind: "session", sessionKey: CHILD }, [CHILD]]
]

const Said = Schema.Struct({
  session: Schema.Literals(SESSIONS),
  /** Few ids: most responses are reported several times. */
  id: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30 })),
  nano: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1e12 }))),
  hoursAgo: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30 })),
  isKilled: Schema.Boolean
})

describe("what is spent", () => {
  it.effect.prop(
    "is what a plain sum says, for every scope and period, over kills, repeats and copies",
    [Schema.Array(Said).check(Schema.isMaxLength(40))],
    ([said]) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(NOON)
        const world = yield* makeBookWorld
        let console = yield* world.start
        yield* console.spawned(CHILD, "agent:main:task-card-1")
        for (const [index, [scope]] of SCOPES.entries())
          for (const period of ["day", "week", "total"] as const)
            yield* console.add(`${index} ${period}`, { scope, period, limit: { usd: 1_000_000 }, zone: "UTC" })
        const counted = new Map<string, (typeof said)[number]>()
        for (const one of said) {
          if (one.isKilled) console = yield* world.start
          const at = NOON - one.hoursAgo * HOUR_MS
          yield* console.say(one.session, `m${one.id}`, one.nano ?? undefined, at)
          const known = [...counted.values()].filter(({ id }) => id === one.id)
          // The same message in its session, or its copy with the same time in another.
          if (!known.some(({ hoursAgo, session }) => session === one.session || hoursAgo === one.hoursAgo))
            counted.set(`${one.session} ${one.id}`, one)
        }
        for (const [index, [, sessions]] of SCOPES.entries())
          for (const [period, start] of [
            ["day", Date.UTC(2026, 10, 27)],
            ["week", Date.UTC(2026, 10, 23)],
            ["total", 0]
          ] as const) {
            const mine = [...counted.values()].filter(
              ({ hoursAgo, session }) => sessions.includes(session) && NOON - hoursAgo * HOUR_MS >= start
            )
            const plain = {
              nano: mine.reduce((sum, { nano }) => sum + (nano ?? 0), 0),
              ms: 0,
              turns: mine.length,
              unpriced: mine.filter(({ nano }) => nano === null).length
            }
            const budget = console.budget(`${index} ${period}`)
            assert.deepStrictEqual(budget.spent, plain)
            const again = yield* world.sqlite.read((db) =>
              spentBetween(db, budget.scope, start, Number.MAX_SAFE_INTEGER)
            )
            assert.deepStrictEqual(again, plain)
          }
      }),
    { arbitrary: { runs: 40 } }
  )

  it.effect("counts minutes by a clock that nobody sets, and a clock set back keeps its period", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOON)
      const world = yield* makeBookWorld
      const { add, begin, budget, end, look, say } = yield* world.start
      yield* add("b", { ...ALL, limit: { minutes: 30 } })
      yield* begin(KEY, "r1")
      yield* TestClock.adjust("10 minutes")
      yield* end(KEY, "r1")
      assert.strictEqual(budget("b").spent.ms, 600_000)
      yield* TestClock.setTime(Date.UTC(2026, 10, 28, 0, 2))
      yield* look
      assert.deepStrictEqual([budget("b").spent.ms, budget("b").periodStart], [0, Date.UTC(2026, 10, 28)])
      yield* say(KEY, "m1", 5)
      // Some minutes back over midnight isn't the day before again.
      yield* TestClock.setTime(Date.UTC(2026, 10, 27, 23, 58))
      yield* look
      assert.deepStrictEqual([budget("b").spent.turns, budget("b").periodStart], [1, Date.UTC(2026, 10, 28)])
      // Far back is another day, with what that had spent.
      yield* TestClock.setTime(NOON)
      yield* look
      assert.deepStrictEqual([budget("b").spent.turns, budget("b").spent.ms], [0, 600_000])
    })
  )

  it.effect("is known of 500 budgets while 50 sessions run", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOON)
      const world = yield* makeBookWorld
      const { add, begin, book, budget, held, say } = yield* world.start
      const keyOf = (index: number) => `agent:a${index}:task-card${index}-1`
      const scopesOf = (index: number): ReadonlyArray<readonly [BudgetScope, ReadonlyArray<NewBudget["period"]>]> => [
        [{ kind: "session", sessionKey: keyOf(index) }, ["day", "week", "month", "total"]],
        [{ kind: "agent", agentId: `a${index}` }, ["day", "week", "month", "total"]],
        [{ kind: "task", taskId: `card${index}` }, ["day", "total"]]
      ]
      for (let index = 0; index < 50; index += 1) yield* begin(keyOf(index), `r${index}`)
      for (let index = 0; index < 50; index += 1)
        for (const [scope, periods] of scopesOf(index))
          for (const [at, period] of periods.entries())
            yield* add(`${scope.kind} ${at} ${index}`, { scope, period, limit: { turns: at + 1 }, zone: "UTC" })
      assert.strictEqual(book.pages().budgets.size, 500)
      for (let round = 1; round <= 4; round += 1)
        for (let index = 0; index < 50; index += 1) yield* say(keyOf(index), `m${index} ${round}`, 1)
      for (let index = 0; index < 50; index += 1) {
        for (const [{ kind }, periods] of scopesOf(index))
          for (const at of periods.keys()) assert.isDefined(budget(`${kind} ${at} ${index}`).pausedAt)
        assert.strictEqual(held(keyOf(index))?.state, "stopping")
      }
      assert.strictEqual(book.takeIntents(), 50)
    })
  )
})

describe("a pause", () => {
  /** From the response that crosses the limit until the session was asked to go on. */
  const STEPS = ["cross", "stop", "again", "begin", "end"] as const

  for (const [killedAt] of STEPS.entries())
    it.effect(
      `ends the same if the console is killed after the step “${STEPS[killedAt]}”, and the step is repeated`,
      () =>
        Effect.gen(function* () {
          yield* TestClock.setTime(NOON)
          const world = yield* makeBookWorld
          let console = yield* world.start
          yield* console.add("b", ALL)
          yield* console.begin(KEY, "r1")
          yield* console.say(KEY, "m1", 7)
          let messageId: string | undefined
          const take = Effect.fnUntraced(function* (step: (typeof STEPS)[number]) {
            if (step === "cross") yield* console.say(KEY, "m2", 8)
            if (step === "stop") yield* console.stopped(KEY)
            if (step === "again") yield* console.decide("b", { action: "again" })
            messageId ??= console.held(KEY)?.messageId
            if (step === "begin") yield* console.begin(KEY, messageId ?? "none")
            if (step === "end") yield* console.end(KEY, messageId ?? "none")
          })
          for (const [index, step] of STEPS.entries()) {
            yield* take(step)
            if (index !== killedAt) continue
            console = yield* world.start
            if (step === "cross") assert.strictEqual(console.held(KEY)?.state, "stopping")
            if (step === "again") assert.strictEqual(console.held(KEY)?.messageId, messageId)
            yield* take(step)
          }
          const { extra, pausedAt, pauses, spent } = console.budget("b")
          assert.deepStrictEqual({ ...spent, ms: 0 }, { nano: 15, ms: 0, turns: 2, unpriced: 0 })
          assert.deepStrictEqual([extra.turns, pausedAt, pauses], [2, undefined, 1])
          assert.isUndefined(console.held(KEY))
          assert.isFalse(console.isHeld(KEY))
          const pauseItems = (yield* console.items).filter(
            ({ actions, resolution }) => actions.length > 1 || resolution
          )
          assert.deepStrictEqual(
            pauseItems.map(({ resolution }) => resolution?.action).filter((action) => action !== "ended"),
            ["again"]
          )
        })
    )

  for (const order of ["person first", "period first"] as const)
    it.effect(`is ended once by a person and a new period at the same moment, the ${order}`, () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(NOON)
        const world = yield* makeBookWorld
        const { add, begin, budget, decide, held, items, look, say, stopped } = yield* world.start
        yield* add("b", ALL)
        yield* begin(KEY, "r1")
        for (const id of ["m1", "m2"]) yield* say(KEY, id, 1)
        yield* stopped(KEY)
        yield* TestClock.setTime(Date.UTC(2026, 10, 28))
        const decided = order === "person first" ? yield* decide("b", { action: "again" }) : undefined
        yield* look
        const late = decided ?? (yield* decide("b", { action: "again" }))
        assert.strictEqual(Result.isSuccess(late), order === "person first")
        assert.deepStrictEqual(
          [budget("b").pausedAt, budget("b").extra.turns, budget("b").spent.turns],
          [undefined, 0, 0]
        )
        assert.strictEqual(held(KEY)?.state, "resuming")
        const [item] = (yield* items).filter(({ resolution }) => resolution !== undefined)
        assert.deepInclude(
          item?.resolution,
          order === "person first" ? { action: "again", by: "console" } : { action: "ended", by: "timeout" }
        )
      })
    )

  it.effect("of two budgets lasts until both have ended, and a removed one lets go of what only it held", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOON)
      const world = yield* makeBookWorld
      const { add, begin, decide, held, isHeld, remove, say, stopped } = yield* world.start
      yield* add("all", ALL)
      yield* add("own", { ...ALL, scope: { kind: "session", sessionKey: KEY } })
      const other = "agent:main:other"
      for (const key of [KEY, other]) yield* begin(key, `run of ${key}`)
      for (const id of ["m1", "m2"]) yield* say(KEY, id, 1)
      for (const key of [KEY, other]) {
        assert.strictEqual(held(key)?.state, "stopping")
        yield* stopped(key)
      }
      yield* decide("all", { action: "again" })
      assert.deepStrictEqual([isHeld(other), held(other)?.state], [false, "resuming"])
      assert.deepStrictEqual([isHeld(KEY), held(KEY)?.state], [true, "stopped"])
      yield* remove("own")
      assert.deepStrictEqual([isHeld(KEY), held(KEY)?.state], [false, "resuming"])
    })
  )

  it.effect("with `keep` ends with its period, and asks the session to go on", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOON)
      const world = yield* makeBookWorld
      const { add, begin, budget, decide, held, look, say, stopped } = yield* world.start
      yield* add("b", ALL)
      yield* begin(KEY, "r1")
      for (const id of ["m1", "m2"]) yield* say(KEY, id, 1)
      yield* stopped(KEY)
      yield* decide("b", { action: "keep" })
      yield* TestClock.setTime(Date.UTC(2026, 10, 28) - 1)
      yield* look
      assert.deepStrictEqual([budget("b").pausedAt === undefined, held(KEY)?.state], [false, "stopped"])
      yield* TestClock.setTime(NOON + DAY_MS)
      yield* look
      assert.deepStrictEqual([budget("b").pausedAt, held(KEY)?.state], [undefined, "resuming"])
    })
  )
})
