import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { MAX_COMMENTS } from "../../../../src/contract/schema/comment.ts"
import { MAX_VIEWS } from "../../../../src/contract/schema/savedView.ts"
import { asAgent, PersonName } from "../../../../src/services/board/BoardPerson.ts"
import { exportBoard, importBoard } from "../../../../src/services/board/boardArchive.ts"
import { onEveryStore } from "../onEveryStore.ts"

onEveryStore("comments, checklists and views", ({ makeBoardWorld }) => {
  const everything = { statuses: [], priorities: [], limit: 200, offset: 0 } as const

  it.effect("a task without any answers as before", () =>
    Effect.gen(function* () {
      const { board } = yield* makeBoardWorld()
      const task = yield* board.create({ title: "T", checklist: [] })
      assert.doesNotHaveAnyKeys(task, ["checklist", "commentCount"])
      assert.deepStrictEqual(yield* board.get(task.id), task)
      assert.deepStrictEqual(yield* board.comments(task.id), [])
      assert.deepStrictEqual(yield* board.views, [])
    })
  )

  it.effect("people who comment at the same time never conflict, and each comment is a new version", () =>
    Effect.gen(function* () {
      const { board, changes } = yield* makeBoardWorld()
      const { id } = yield* board.create({ title: "T" })
      yield* changes
      yield* Effect.all(
        Array.from({ length: 10 }, (_, index) => board.comment(id, { text: `no ${index}` })),
        { concurrency: "unbounded" }
      )
      const comments = yield* board.comments(id)
      assert.deepStrictEqual(
        comments.map(({ text }) => text).toSorted(),
        Array.from({ length: 10 }, (_, index) => `no ${index}`)
      )
      assert.isTrue(comments.every(({ by }) => by === "operator"))
      assert.strictEqual(new Set(comments.map((comment) => comment.id)).size, 10)
      const told = yield* changes
      assert.deepStrictEqual(
        told.map(({ action, task, version }) => ({ action, version, count: task?.commentCount })),
        Array.from({ length: 10 }, (_, index) => ({ action: "updated" as const, version: index + 2, count: index + 1 }))
      )
      const [listed] = (yield* board.list(everything)).items
      assert.deepStrictEqual([listed?.version, listed?.commentCount], [11, 10])
      assert.include(yield* board.listText(everything), `"commentCount":10`)
    })
  )

  it.effect("one goes when it's deleted, and all of them with their task", () =>
    Effect.gen(function* () {
      const { board, store } = yield* makeBoardWorld()
      const { id } = yield* board.create({ title: "T" })
      const first = yield* board.comment(id, { text: "first" })
      const second = yield* board.comment(id, { text: "second" })
      yield* board.removeComment(id, first.id)
      assert.deepStrictEqual(yield* board.comments(id), [second])
      const third = yield* board.comment(id, { text: "third" })
      assert.deepStrictEqual(yield* board.comments(id), [second, third])
      const gone = yield* Effect.flip(board.removeComment(id, first.id))
      assert.strictEqual(gone._tag, "CommentNotFound")
      yield* board.removeComment(id, second.id)
      yield* board.removeComment(id, third.id)
      assert.isUndefined((yield* board.get(id)).commentCount)
      yield* board.comment(id, { text: "last" })
      yield* board.remove(id)
      assert.strictEqual((yield* Effect.flip(board.comments(id)))._tag, "TaskNotFound")
      assert.strictEqual((yield* Effect.flip(board.comment(id, { text: "late" })))._tag, "TaskNotFound")
      assert.deepStrictEqual(yield* store.read((db) => db.all("SELECT id FROM task_comments")), [])
    })
  )

  it.effect("name their author: the person, or the agent even where the person has no name", () =>
    Effect.gen(function* () {
      const unnamed = yield* makeBoardWorld()
      const { id } = yield* unnamed.board.create({ title: "T" })
      yield* asAgent("agent:coder")(unnamed.board.comment(id, { text: "I looked" }))
      assert.deepStrictEqual(
        (yield* unnamed.board.comments(id)).map(({ by }) => by),
        ["agent:coder"]
      )
      const named = yield* Effect.provideService(makeBoardWorld(), PersonName, "Ada")
      const other = yield* named.board.create({ title: "T" })
      yield* named.board.comment(other.id, { text: "Mine" })
      yield* asAgent("agent:coder")(named.board.comment(other.id, { text: "Its" }))
      assert.deepStrictEqual(
        (yield* named.board.comments(other.id)).map(({ by }) => by),
        ["Ada", "agent:coder"]
      )
    })
  )

  it.effect("keep any text, and no more than the limit", () =>
    Effect.gen(function* () {
      const { board } = yield* makeBoardWorld()
      const text = `\0 "quotes" \\u0000 \n 🎉 \uFDD0`
      const task = yield* board.create({ title: "T", checklist: [{ text }] })
      assert.strictEqual((yield* board.get(task.id)).checklist?.[0]?.text, text)
      for (let count = 0; count < MAX_COMMENTS; count += 1) yield* board.comment(task.id, { text })
      assert.isTrue((yield* board.comments(task.id)).every((comment) => comment.text === text))
      const refused = yield* Effect.flip(board.comment(task.id, { text }))
      assert.strictEqual(refused._tag, "TooManyComments")
      assert.strictEqual((yield* board.get(task.id)).commentCount, MAX_COMMENTS)
    })
  )

  it.effect("a checklist is changed as a whole, with the version, and cleared by null or an empty list", () =>
    Effect.gen(function* () {
      const { board } = yield* makeBoardWorld()
      const made = yield* board.create({ title: "T", checklist: [{ text: "a" }, { id: "1", text: "b", done: true }] })
      const checklist = [
        { id: "2", text: "a", done: false },
        { id: "1", text: "b", done: true }
      ]
      assert.deepStrictEqual(made.checklist, checklist)
      const renamed = yield* board.patch(made.id, { version: 1, title: "U" })
      assert.deepStrictEqual(renamed.checklist, checklist)
      const ticked = yield* board.patch(made.id, {
        version: 2,
        checklist: checklist.map((item) => ({ ...item, done: true }))
      })
      assert.isTrue(ticked.checklist?.every(({ done }) => done))
      yield* board.comment(made.id, { text: "about it" })
      const late = yield* Effect.flip(board.patch(made.id, { version: 3, checklist: null }))
      assert.strictEqual(late._tag, "VersionConflict")
      const cleared = yield* board.patch(made.id, { version: 4, checklist: null })
      assert.isUndefined(cleared.checklist)
      assert.strictEqual(cleared.commentCount, 1)
      const again = yield* board.patch(made.id, { version: 5, checklist: [{ text: "c" }] })
      assert.isUndefined((yield* board.patch(made.id, { version: again.version, checklist: [] })).checklist)
    })
  )

  it.effect("reach the agent apart from feedback, and proposals may carry a checklist", () =>
    Effect.gen(function* () {
      const { board, gateway, runs, until } = yield* makeBoardWorld()
      const { id } = yield* board.create({
        title: "Fix it",
        checklist: [{ text: "reproduce", done: true }, { text: "fix" }]
      })
      yield* board.comment(id, { text: "Mind\nthe tests" })
      yield* runs.execute(id, {})
      yield* until(id, () => gateway.count("chat.send") === 1)
      assert.propertyVal(
        gateway.sent(),
        "message",
        "Fix it\n\nChecklist:\n- [x] reproduce\n- [ ] fix\n\nComments on this task, oldest first:\n- operator: Mind\n  the tests"
      )
      yield* gateway.finish(`Done [kanban:create]{"title":"next","checklist":[{"text":"one"}]}[/kanban:create]`)
      yield* until(id, (task) => task.status === "review")
      const [proposal] = yield* board.proposals("pending")
      const { task } = yield* board.approveProposal(proposal?.id ?? "")
      assert.deepStrictEqual(task.checklist, [{ id: "1", text: "one", done: false }])
    })
  )

  it.effect("views are kept by name, replaced under their id, and sent to everyone", () =>
    Effect.gen(function* () {
      const { board, changes } = yield* makeBoardWorld()
      const mine = { name: "Mine", layout: "list", filter: { labels: ["x"] }, sort: { by: "due" } } as const
      yield* board.saveView("b", mine)
      yield* board.saveView("a", { name: "All", layout: "board" })
      const both = [{ id: "a", name: "All", layout: "board" } as const, { id: "b", ...mine }]
      assert.deepStrictEqual(yield* board.views, both)
      const told = yield* changes
      assert.deepStrictEqual(told.at(-1), { kind: "views", action: "updated", id: "views", views: both })
      yield* board.saveView("b", { ...mine, name: "A first" })
      assert.deepStrictEqual(
        (yield* board.views).map(({ name }) => name),
        ["A first", "All"]
      )
      yield* board.removeView("b")
      assert.strictEqual((yield* Effect.flip(board.removeView("b")))._tag, "ViewNotFound")
      for (let count = 1; count < MAX_VIEWS; count += 1) yield* board.saveView(`v${count}`, mine)
      assert.strictEqual((yield* Effect.flip(board.saveView("more", mine)))._tag, "TooManyViews")
      assert.strictEqual((yield* board.saveView("v1", { ...mine, name: "Kept" })).name, "Kept")
    })
  )

  it.effect("all of them go with an exported board", () =>
    Effect.gen(function* () {
      const { board, store } = yield* makeBoardWorld()
      const { id } = yield* board.create({ title: "T", checklist: [{ text: "a" }] })
      yield* board.comment(id, { text: "first" })
      yield* board.comment(id, { text: "second" })
      yield* board.saveView("v", { name: "View", layout: "list" })
      const archive = yield* store.read(exportBoard)
      const other = yield* makeBoardWorld()
      yield* other.board.saveView("w", { name: "Other", layout: "board" })
      yield* other.store.mutate((db) => importBoard(db, archive, { replace: false }))
      assert.deepStrictEqual(yield* other.store.read(exportBoard), archive)
      assert.deepStrictEqual(yield* other.board.comments(id), yield* board.comments(id))
      // A file written before there were views leaves those that are there.
      const { views, ...earlier } = archive
      yield* other.store.mutate((db) => importBoard(db, earlier, { replace: true }))
      assert.deepStrictEqual(yield* other.board.views, views)
    })
  )
})
