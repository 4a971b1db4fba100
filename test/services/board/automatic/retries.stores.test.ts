import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { onEveryStore } from "../onEveryStore.ts"
import { type FlowWorld, flowWorldOn } from "./flowWorld.ts"

const MINUTE_MS = 60_000

onEveryStore("failed automatic runs", ({ base }) => {
  const world = Effect.flatMap(base, (context) => flowWorldOn(context)).pipe(
    Effect.tap(({ board }) => board.updateConfig({ reviewRequired: false, parallel: { total: 50, perAgent: 20 } }))
  )
  const facts = ({ card }: FlowWorld, title: string) =>
    Effect.map(card(title), ({ attempts, autoStart, run, startAt, status }) => ({
      status,
      autoStart,
      attempts,
      startAt,
      run: run?.status
    }))

  describe("a card with tries left", () => {
    it.effect("waits in todo for its minutes, and is given up on after the last try", () =>
      Effect.gen(function* () {
        const all = yield* world
        const { add, card, fail, items, pass } = all
        yield* add("A", { retry: { max: 2, waitMin: 5 } })
        yield* all.settle
        yield* pass("1 minute")
        yield* fail("A")
        const waiting = {
          status: "todo" as const,
          autoStart: true,
          attempts: 1,
          startAt: 6 * MINUTE_MS,
          run: "error" as const
        }
        assert.deepStrictEqual(yield* facts(all, "A"), waiting)
        // It's tried again, so it needs no person.
        assert.deepStrictEqual(yield* items(), [])
        yield* pass("299 seconds")
        assert.deepStrictEqual(yield* facts(all, "A"), waiting)
        yield* pass("1 second")
        assert.strictEqual((yield* card("A")).status, "in-progress")
        yield* fail("A")
        assert.deepStrictEqual(yield* facts(all, "A"), { ...waiting, attempts: 2, startAt: 11 * MINUTE_MS })
        yield* pass("5 minutes")
        yield* fail("A")
        const over = { ...waiting, autoStart: false, attempts: 3, startAt: 11 * MINUTE_MS }
        assert.deepStrictEqual(yield* facts(all, "A"), over)
        assert.deepStrictEqual(
          (yield* items()).map(({ kind, title, actions }) => [kind, title, actions.map(({ id }) => id)]),
          [["failed", "A", ["retry", "dismiss"]]]
        )
        yield* pass("1 day")
        assert.deepStrictEqual(yield* facts(all, "A"), over)
      })
    )

    it.effect("has them anew after a run that went well; attempts never go back", () =>
      Effect.gen(function* () {
        const all = yield* world
        const { add, change, fail, finish, pass } = all
        yield* add("A", { retry: { max: 1, waitMin: 1 } })
        yield* fail("A")
        yield* pass("1 minute")
        yield* finish("A")
        yield* change("A", { status: "todo" })
        yield* fail("A")
        assert.deepInclude(yield* facts(all, "A"), { autoStart: true, attempts: 3, run: "error" })
        yield* pass("1 minute")
        yield* fail("A")
        assert.deepInclude(yield* facts(all, "A"), { autoStart: false, attempts: 4, run: "error" })
      })
    )
  })

  describe("an abort by a person", () => {
    it.effect("is no failed run and switches the card's automatic start off", () =>
      Effect.gen(function* () {
        const all = yield* world
        const { add, board, card, items } = all
        yield* add("A", { retry: { max: 5, waitMin: 1 } })
        yield* board.abort((yield* card("A")).id, {})
        assert.deepStrictEqual(yield* facts(all, "A"), {
          status: "todo",
          autoStart: false,
          attempts: 1,
          startAt: undefined,
          run: "aborted"
        })
        assert.deepStrictEqual(yield* items(), [])
      })
    )

    it.effect("does so by a move out of the column, and by the stop of everything", () =>
      Effect.gen(function* () {
        const all = yield* world
        const { add, board, card, change } = all
        yield* add("A")
        yield* change("A", { status: "todo" })
        assert.deepInclude(yield* facts(all, "A"), { status: "todo", autoStart: false, run: "aborted" })
        yield* add("B")
        const { id, run } = yield* card("B")
        yield* board.abortStopped(id, run?.sessionKey ?? "", "Enough.")
        assert.deepInclude(yield* facts(all, "B"), { status: "todo", autoStart: false, run: "aborted" })
      })
    )
  })

  describe("the loop breaker", () => {
    const paused = ({ board }: FlowWorld) => Effect.map(board.config, ({ parallel }) => parallel.paused)
    const asked = ({ items }: FlowWorld) =>
      Effect.map(items(), (open) =>
        open
          .filter(({ kind }) => kind === "blocked")
          .map(({ actions, taskId }) => [taskId, actions.map(({ id }) => id)])
      )

    it.effect("doesn't let a card start an eleventh time within a day", () =>
      Effect.gen(function* () {
        const all = yield* world
        const { add, card, change, finish, inbox, items, pass } = all
        const { id } = yield* add("A")
        for (let count = 1; count <= 10; count += 1) {
          assert.deepInclude(yield* facts(all, "A"), { status: "in-progress", attempts: count })
          yield* finish("A")
          yield* pass("1 hour")
          yield* change("A", { status: "todo" })
        }
        assert.deepInclude(yield* facts(all, "A"), { status: "todo", autoStart: false, attempts: 10 })
        assert.isTrue(yield* paused(all))
        assert.deepStrictEqual(yield* asked(all), [[id, ["resume"]]])
        // Nothing else starts either.
        yield* add("B")
        assert.strictEqual((yield* card("B")).status, "todo")
        const [item] = yield* items()
        assert.deepStrictEqual(item?.why, {
          code: "STARTS_OFF_TOO_OFTEN",
          values: { title: "A", count: 10, hours: 24 }
        })
        yield* inbox.resolve(item?.id ?? "", { action: "resume" })
        assert.isFalse(yield* paused(all))
        assert.strictEqual((yield* card("B")).status, "in-progress")
        // The count begins anew.
        yield* change("A", { autoStart: true })
        assert.deepInclude(yield* facts(all, "A"), { status: "in-progress", attempts: 11 })
        assert.deepStrictEqual(yield* asked(all), [])
        assert.deepStrictEqual(
          (yield* items("resolved")).map(({ resolution }) => resolution?.action),
          ["resume"]
        )
      })
    )

    it.effect("forgets starts after a day", () =>
      Effect.gen(function* () {
        const all = yield* world
        const { add, change, finish, pass } = all
        yield* add("A")
        for (let count = 1; count <= 20; count += 1) {
          assert.deepInclude(yield* facts(all, "A"), { status: "in-progress", attempts: count })
          yield* finish("A")
          yield* pass("150 minutes")
          yield* change("A", { status: "todo" })
        }
        assert.isFalse(yield* paused(all))
      })
    )

    it.effect("switches automatic starts off after six failures within ten minutes; PUT switches them on", () =>
      Effect.gen(function* () {
        const all = yield* world
        const { add, board, fail, items, pass, running } = all
        yield* board.updateConfig({ parallel: { total: 1 } })
        for (let count = 0; count < 20; count += 1) yield* add(`Card ${count}`)
        for (let count = 0; count < 6; count += 1) {
          const [title = ""] = yield* running
          yield* fail(title)
          yield* pass("1 minute")
        }
        assert.deepStrictEqual(yield* running, [])
        assert.isTrue(yield* paused(all))
        assert.deepStrictEqual(yield* asked(all), [[undefined, ["resume"]]])
        yield* board.updateConfig({ parallel: { paused: false } })
        assert.deepStrictEqual(yield* asked(all), [])
        assert.deepInclude((yield* items("resolved"))[0]?.resolution, { action: "resume", by: "console" })
        // Five more are none too many, and failures that are ten minutes old don't count.
        for (let count = 0; count < 5; count += 1) yield* fail((yield* running)[0] ?? "")
        yield* pass("10 minutes")
        yield* fail((yield* running)[0] ?? "")
        assert.isFalse(yield* paused(all))
      })
    )

    it.effect("counts no runs that a person started", () =>
      Effect.gen(function* () {
        const all = yield* world
        const { board, runs } = all
        for (let count = 0; count < 8; count += 1) {
          const { id } = yield* board.create({ title: `Card ${count}`, status: "todo" })
          yield* runs.execute(id, {})
          yield* board.complete(id, { error: "It broke." })
        }
        assert.isFalse(yield* paused(all))
      })
    )
  })
})
