import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { EverythingStopped } from "../../../../src/services/holds/StartHolds.ts"
import { onEveryStore } from "../onEveryStore.ts"
import { type FlowWorld, flowWorldOn } from "./flowWorld.ts"

onEveryStore("cards whose predecessors are lost", ({ base }) => {
  const world = Effect.flatMap(base, (context) => flowWorldOn(context)).pipe(
    Effect.tap(({ board }) => board.updateConfig({ reviewRequired: false, parallel: { total: 50, perAgent: 20 } }))
  )
  const blocked = ({ items }: FlowWorld) => Effect.map(items(), (open) => open.filter(({ kind }) => kind === "blocked"))
  const ended = ({ items }: FlowWorld) =>
    Effect.map(items("resolved"), (all) =>
      all.filter(({ kind }) => kind === "blocked").map(({ resolution }) => resolution?.action)
    )
  const loseBy = {
    cancelled: ({ change }: FlowWorld) => change("A", { status: "cancelled" }),
    deleted: ({ board, card }: FlowWorld) => Effect.flatMap(card("A"), ({ id }) => board.remove(id)),
    failed: ({ fail }: FlowWorld) => fail("A")
  }
  /** B waits for A, and C for B. */
  const chain = Effect.gen(function* () {
    const all = yield* world
    const a = yield* all.add("A")
    const b = yield* all.add("B", { after: [a.id] })
    yield* all.add("C", { after: [b.id] })
    return { ...all, a, b }
  })

  const details = {
    cancelled: {
      detail: "It waits for “A”, which was cancelled.",
      why: { code: "BLOCKED_BY_CANCELLED", values: { title: "A" } }
    },
    deleted: { detail: "A card that it waits for was deleted.", why: { code: "BLOCKED_BY_DELETED" } },
    failed: {
      detail: "It waits for “A”, which failed and isn't tried again.",
      why: { code: "BLOCKED_BY_FAILED", values: { title: "A" } }
    }
  }

  for (const why of ["cancelled", "deleted", "failed"] as const) {
    describe(`a predecessor that was ${why}`, () => {
      it.effect("is one item for each card that waits for it", () =>
        Effect.gen(function* () {
          const all = yield* chain
          assert.deepStrictEqual(yield* blocked(all), [])
          yield* loseBy[why](all)
          const [item, ...more] = yield* blocked(all)
          assert.deepInclude(item, { kind: "blocked", title: "B", taskId: all.b.id, state: "open", ...details[why] })
          assert.deepStrictEqual(
            item?.actions.map(({ id }) => id),
            ["start-anyway", "unlink", "dismiss"]
          )
          assert.deepStrictEqual(more, [])
          assert.deepStrictEqual(yield* all.running, [])
        })
      )

      it.effect("start-anyway starts the card", () =>
        Effect.gen(function* () {
          const all = yield* chain
          yield* loseBy[why](all)
          const [item] = yield* blocked(all)
          const done = yield* all.inbox.resolve(item?.id ?? "", { action: "start-anyway" })
          assert.strictEqual(done.resolution?.action, "start-anyway")
          assert.deepStrictEqual(yield* all.running, ["B"])
          assert.deepStrictEqual((yield* all.card("B")).after, [all.a.id])
          // A person has started it.
          assert.isUndefined((yield* all.card("B")).attempts)
        })
      )

      it.effect("unlink removes the lost one only, and the card starts by itself", () =>
        Effect.gen(function* () {
          const all = yield* chain
          const other = yield* all.add("Other", { startAt: 60_000 })
          yield* all.change("B", { after: [all.a.id, other.id] })
          yield* loseBy[why](all)
          const [item] = yield* blocked(all)
          yield* all.inbox.resolve(item?.id ?? "", { action: "unlink" })
          assert.deepStrictEqual((yield* all.card("B")).after, [other.id])
          assert.deepStrictEqual(yield* blocked(all), [])
          yield* all.pass("1 minute")
          yield* all.finish("Other")
          assert.deepStrictEqual(yield* all.running, ["B"])
        })
      )

      it.effect("dismiss leaves it waiting, and there is no item for the same one again", () =>
        Effect.gen(function* () {
          const all = yield* chain
          yield* loseBy[why](all)
          const [item] = yield* blocked(all)
          yield* all.inbox.resolve(item?.id ?? "", { action: "dismiss" })
          yield* all.change("B", { title: "B", priority: "high" })
          assert.deepStrictEqual(yield* blocked(all), [])
          assert.deepStrictEqual(yield* all.running, [])
          const other = yield* all.add("Other", { startAt: 60_000 })
          yield* all.change("B", { after: [all.a.id, other.id] })
          yield* all.change("Other", { status: "cancelled" })
          const [both, ...more] = yield* blocked(all)
          assert.deepStrictEqual(more, [])
          assert.strictEqual(both?.why?.code, "BLOCKED_BY_SEVERAL")
          assert.sameMembers(
            String(both?.why?.values?.titles).split(", "),
            why === "deleted" ? ["Other"] : ["A", "Other"]
          )
        })
      )
    })
  }

  describe("the item", () => {
    it.effect("goes when the predecessor is reopened, and comes again when it's lost again", () =>
      Effect.gen(function* () {
        const all = yield* chain
        yield* loseBy.cancelled(all)
        assert.strictEqual((yield* blocked(all)).length, 1)
        yield* all.change("A", { status: "todo" })
        assert.deepStrictEqual(yield* blocked(all), [])
        assert.deepStrictEqual(yield* ended(all), ["ended"])
        yield* all.change("A", { status: "cancelled" })
        assert.strictEqual((yield* blocked(all)).length, 1)
      })
    )

    it.effect("goes when a card that was given up on is started again", () =>
      Effect.gen(function* () {
        const all = yield* chain
        yield* loseBy.failed(all)
        yield* all.change("A", { priority: "high" })
        assert.strictEqual((yield* blocked(all)).length, 1)
        yield* all.runs.execute(all.a.id, {})
        assert.deepStrictEqual(yield* blocked(all), [])
        yield* all.finish("A")
        assert.deepStrictEqual(yield* all.running, ["B"])
      })
    )

    it.effect("is there only for cards that would start by themselves", () =>
      Effect.gen(function* () {
        const all = yield* chain
        yield* all.change("B", { autoStart: false })
        yield* loseBy.deleted(all)
        assert.deepStrictEqual(yield* blocked(all), [])
        yield* all.change("B", { autoStart: true })
        assert.strictEqual((yield* blocked(all)).length, 1)
        yield* all.change("B", { status: "backlog" })
        assert.deepStrictEqual(yield* blocked(all), [])
      })
    )

    it.effect("stays open when start-anyway is refused, whose error is the answer", () =>
      Effect.gen(function* () {
        const all = yield* chain
        yield* loseBy.deleted(all)
        const [item] = yield* blocked(all)
        all.outside.held = new EverythingStopped({ stop: { active: true } })
        const refused = yield* Effect.result(all.inbox.resolve(item?.id ?? "", { action: "start-anyway" }))
        assert.isTrue(Result.isFailure(refused) && refused.failure._tag === "EverythingStopped")
        assert.strictEqual((yield* blocked(all)).length, 1)
      })
    )
  })
})
