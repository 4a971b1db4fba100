import { assert, it } from "@effect/vitest"
import { Effect, Exit, Result } from "effect"
import type { Task } from "../../../../src/contract/schema/task.ts"
import { exportBoard, importBoard } from "../../../../src/services/board/boardArchive.ts"
import { onEveryStore } from "../onEveryStore.ts"

/** The plain model of a card. */
interface Card {
  readonly id: string
  status: Task["status"]
  after: ReadonlyArray<string>
  parentId: string | undefined
}

/** Numbers that look random and are the same every time. */
const numbers = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

/** Whether a way leads from a card to itself. */
const returns = (from: string, next: (id: string) => ReadonlyArray<string>): boolean => {
  const seen = new Set<string>()
  const queue = [...next(from)]
  for (const id of queue) {
    if (id === from) return true
    if (seen.has(id)) continue
    seen.add(id)
    queue.push(...next(id))
  }
  return false
}

const STATUSES = ["backlog", "todo", "review", "done", "cancelled"] as const
const CARDS = 14

onEveryStore("links of cards", ({ makeBoardWorld }) => {
  it.effect.each([1, 2, 3, 4])("random board %i agrees with a plain model, step by step", (seed) =>
    Effect.gen(function* () {
      const { board } = yield* makeBoardWorld()
      const random = numbers(seed)
      const model = new Map<string, Card>()
      const gone: Array<string> = []
      const one = <A>(all: ReadonlyArray<A>): A | undefined => all[random(all.length)]
      const anyIds = (count: number) => Array.from({ length: count }, () => one([...model.keys(), ...gone]) ?? "nobody")
      const afterOf = (id: string) => model.get(id)?.after ?? []
      const parentOf = (id: string) => model.get(id)?.parentId
      const generations = (id: string): number =>
        1 +
        Math.max(
          0,
          ...[...model.values()].filter(({ parentId }) => parentId === id).map((card) => generations(card.id))
        )
      const above = (id: string | undefined): number => (id === undefined ? 0 : 1 + above(parentOf(id)))

      /** What the board has to answer. */
      const expected = (card: Card, after: ReadonlyArray<string>, parentId: string | undefined) => {
        const added = after.filter((id) => !card.after.includes(id))
        if (!added.every((id) => model.has(id)) || (parentId !== undefined && !model.has(parentId)))
          return "InvalidLink"
        if (returns(card.id, (id) => (id === card.id ? after : afterOf(id)))) return "CycleFound"
        const up = (id: string) => (id === card.id ? parentId : parentOf(id))
        if (parentId !== undefined && returns(card.id, (id) => [up(id)].filter((found) => found !== undefined)))
          return "CycleFound"
        return parentId !== undefined && above(parentId) + generations(card.id) - 1 > 3 ? "InvalidLink" : "done"
      }

      for (let step = 0; step < 120; step += 1) {
        const card = one([...model.values()])
        if (card === undefined || (model.size < CARDS && random(3) === 0)) {
          const { id } = yield* board.create({ title: `Card ${step}` })
          model.set(id, { id, status: "todo", after: [], parentId: undefined })
        } else if (random(12) === 0) {
          yield* board.remove(card.id)
          model.delete(card.id)
          gone.push(card.id)
          for (const child of model.values()) if (child.parentId === card.id) child.parentId = undefined
        } else if (random(3) === 0) {
          const { version } = yield* board.get(card.id)
          card.status = one(STATUSES) ?? "todo"
          yield* board.patch(card.id, { version, status: card.status })
        } else {
          const { version } = yield* board.get(card.id)
          const after = random(2) === 0 ? [...new Set(anyIds(random(4)))] : card.after
          const parentId = random(2) === 0 ? anyIds(random(2))[0] : card.parentId
          const wanted = expected(card, after, parentId)
          const done = yield* Effect.result(board.patch(card.id, { version, after, parentId: parentId ?? null }))
          assert.strictEqual(Result.isSuccess(done) ? "done" : done.failure._tag, wanted)
          if (Result.isFailure(done) && done.failure._tag === "CycleFound") {
            const { path } = done.failure
            assert.deepStrictEqual([path[0], path.at(-1)], [card.id, card.id])
          }
          if (wanted === "done") Object.assign(card, { after, parentId })
        }

        const { items } = yield* board.list({ statuses: [], priorities: [], limit: 200, offset: 0 })
        assert.strictEqual(items.length, model.size)
        for (const { after, children, id, parentId, status, waitsFor = [] } of items) {
          const known = model.get(id)
          assert.deepStrictEqual({ id, status, after, parentId }, known)
          const mayWait = status === "backlog" || status === "todo"
          const open = after.filter((one) => model.get(one)?.status !== "done")
          assert.deepStrictEqual(
            waitsFor.map((reason) => [reason.kind, reason.id]).toSorted(),
            (mayWait ? open : []).map((one) => [model.has(one) ? "card" : "person", one]).toSorted()
          )
          const below = [...model.values()].filter((child) => child.parentId === id)
          assert.deepStrictEqual(
            children,
            below.length === 0
              ? undefined
              : { total: below.length, done: below.filter((child) => child.status === "done").length }
          )
        }
        const query = { statuses: [], priorities: [], limit: 200, offset: 0 }
        const waiting = items.filter(({ status }) => status === "backlog" || status === "todo")
        const ids = (tasks: ReadonlyArray<Task>) => tasks.map(({ id }) => id)
        assert.deepStrictEqual(
          ids((yield* board.list({ ...query, ready: true })).items),
          ids(waiting.filter(({ waitsFor }) => waitsFor === undefined))
        )
        assert.deepStrictEqual(
          ids((yield* board.list({ ...query, blocked: true })).items),
          ids(waiting.filter(({ waitsFor }) => waitsFor !== undefined))
        )
      }
    })
  )

  it.effect("two changes at the same time never make a circle", () =>
    Effect.gen(function* () {
      const { board } = yield* makeBoardWorld()
      for (let round = 0; round < 20; round += 1) {
        const [a, b] = yield* Effect.all([board.create({ title: "A" }), board.create({ title: "B" })])
        const link = (from: Task, to: Task) =>
          Effect.exit(
            board.patch(from.id, { version: 1, ...(round % 2 === 0 ? { after: [to.id] } : { parentId: to.id }) })
          )
        const done = yield* Effect.all([link(a, b), link(b, a)], { concurrency: "unbounded" })
        assert.deepStrictEqual(done.map(Exit.isSuccess).toSorted(), [false, true])
      }
    })
  )

  it.effect("what waits for a card, and what it's a part of, is published again when it is done or removed", () =>
    Effect.gen(function* () {
      const { board, changes } = yield* makeBoardWorld()
      const first = yield* board.create({ title: "First" })
      const parent = yield* board.create({ title: "Parent" })
      const second = yield* board.create({ title: "Second", after: [first.id], parentId: parent.id })
      yield* changes
      yield* board.patch(first.id, { version: 1, status: "done" })
      const published = (yield* changes).map(({ action, id, task }) => [action, id, task?.waitsFor])
      assert.deepStrictEqual(published, [
        ["moved", first.id, undefined],
        ["updated", second.id, undefined]
      ])
      yield* board.patch(second.id, { version: 1, status: "done" })
      assert.deepStrictEqual(
        (yield* changes).map(({ id, task }) => [id, task?.children]),
        [
          [second.id, undefined],
          [parent.id, { total: 1, done: 1 }]
        ]
      )
      yield* board.remove(parent.id)
      assert.deepStrictEqual(
        (yield* changes).map(({ action, id }) => [action, id]),
        [
          ["deleted", parent.id],
          ["updated", second.id]
        ]
      )
    })
  )

  it.effect("a card is started although it waits only if it's forced", () =>
    Effect.gen(function* () {
      const { board } = yield* makeBoardWorld()
      const first = yield* board.create({ title: "First" })
      const second = yield* board.create({ title: "Second", after: [first.id], autoStart: true })
      const blocked = yield* Effect.flip(board.begin(second.id, {}, "main"))
      assert.deepInclude(blocked, { _tag: "StartBlocked" })
      assert.strictEqual((yield* board.begin(second.id, { force: true }, "main")).status, "in-progress")
      // One that is running already is returned as it is.
      assert.strictEqual((yield* board.begin(second.id, {}, "main")).status, "in-progress")
    })
  )

  it.effect("an export has every link, also to a card that is gone, and the import keeps them", () =>
    Effect.gen(function* () {
      const { board, store } = yield* makeBoardWorld()
      const gone = yield* board.create({ title: "Gone" })
      const parent = yield* board.create({ title: "Parent" })
      const flow = { after: [gone.id, parent.id], startAt: 5, autoStart: true, retry: { max: 1, waitMin: 2 } }
      yield* board.create({ title: "Card", parentId: parent.id, ...flow })
      yield* board.remove(gone.id)
      yield* board.updateConfig({ parallel: { total: 7 }, handOver: false })
      const archive = yield* store.read(exportBoard)
      yield* store.mutate((db) => importBoard(db, archive, { replace: true }))
      assert.deepStrictEqual(yield* store.read(exportBoard), archive)
      const { items } = yield* board.list({ statuses: [], priorities: [], limit: 200, offset: 0, after: parent.id })
      assert.deepInclude(items[0], { parentId: parent.id, ...flow })
    })
  )
})
