import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import type { TaskTemplate } from "../../../src/contract/schema/template.ts"
import { BoardArchive, exportBoard, importBoard } from "../../../src/services/board/boardArchive.ts"
import { withoutEvents } from "../../../src/services/board/boardEvents.ts"
import { type StoredRoutine, saveRoutine } from "../../../src/services/board/store/routineStore.ts"
import { saveTemplate } from "../../../src/services/board/store/templateStore.ts"
import { onEveryStore } from "./onEveryStore.ts"

onEveryStore("archives", ({ makeBoardWorld }) => {
  const everything = { statuses: [], priorities: [], limit: 200, offset: 0 } as const

  const routine: StoredRoutine = {
    id: "routine-1",
    name: "Weekly",
    schedule: { cron: "0 9 * * 1", zone: "Europe/Berlin" },
    task: { title: "Report {n}", labels: ["x"] },
    enabled: true,
    skipWhileOpen: false,
    nextAt: 1_800_000_000_000,
    lastAt: 1_700_000_000_000,
    lastTaskId: "gone",
    version: 3,
    made: 7
  }
  const template: TaskTemplate = { id: "template-1", name: "Bug", task: { labels: ["bug"] }, version: 2 }

  const filled = Effect.gen(function* () {
    const world = yield* makeBoardWorld()
    const { board, runs, gateway, store, until } = world
    for (const title of ["a", "b", "c"])
      yield* board.create({ title, labels: ["x", title], description: `about ${title}` })
    const { items } = yield* board.list(everything)
    const [first, second] = [items[0]?.id ?? "", items[1]?.id ?? ""]
    yield* board.reorder(first, { version: 1, targetStatus: "todo", targetIndex: 2 })
    yield* runs.execute(second, {})
    yield* until(second, () => gateway.count("chat.send") === 1)
    yield* gateway.finish(`Done [kanban:create]{"title":"next"}[/kanban:create]`)
    yield* until(second, (task) => task.status === "review")
    yield* board.reject(second, { note: "no" })
    yield* board.propose({ type: "update", payload: { id: first, title: "z" } })
    yield* board.updateConfig({ quickViewLimit: 9, defaultModel: "a/b" })
    yield* store.mutate((db) => Effect.as(saveRoutine(db, routine), withoutEvents(undefined)))
    yield* store.mutate((db) => Effect.as(saveTemplate(db, template), withoutEvents(undefined)))
    return { ...world, first, second }
  })

  const ArchiveText = Schema.fromJsonString(BoardArchive)

  describe("an exported board", () => {
    it.effect("goes through JSON into another board unchanged", () =>
      Effect.gen(function* () {
        const { store } = yield* filled
        const archive = yield* store.read(exportBoard)
        const text = yield* Schema.encodeEffect(ArchiveText)(archive)
        const other = yield* makeBoardWorld()
        const decoded = yield* Schema.decodeEffect(ArchiveText)(text)
        const imported = yield* other.store.mutate((db) => importBoard(db, decoded, { replace: false }))
        assert.deepStrictEqual(imported, { tasks: 3, proposals: 2 })
        assert.deepStrictEqual(yield* other.store.read(exportBoard), archive)
        assert.deepStrictEqual([archive.routines, archive.templates], [[routine], [template]])
      })
    )

    it.effect("of a version without routines and templates keeps those that are there", () =>
      Effect.gen(function* () {
        const { store } = yield* filled
        const { routines: _routines, templates: _templates, ...older } = yield* store.read(exportBoard)
        yield* store.mutate((db) => importBoard(db, older, { replace: true }))
        const { routines, templates } = yield* store.read(exportBoard)
        assert.deepStrictEqual([routines, templates], [[routine], [template]])
      })
    )

    it.effect("replaces a board that is not empty only on request, and stops its runs", () =>
      Effect.gen(function* () {
        const { board, runs, store, first, settle, gateway } = yield* filled
        const archive = yield* store.read(exportBoard)
        const refused = yield* Effect.flip(store.mutate((db) => importBoard(db, archive, { replace: false })))
        assert.include(refused.message, "--replace")
        yield* runs.execute(first, {})
        yield* settle
        const during = yield* store.read(exportBoard)
        yield* store.mutate((db) => importBoard(db, during, { replace: true }))
        const task = yield* board.get(first)
        assert.strictEqual(task.status, "todo")
        assert.strictEqual(task.run?.status, "aborted")
        assert.lengthOf(yield* board.runs("active"), 0)
        assert.lengthOf(yield* board.runs("stopping"), 1)
        assert.strictEqual(gateway.count("chat.send"), 2)
        const again = yield* runs.execute(first, {})
        assert.strictEqual(again.run?.sessionKey, `agent:main:task-${first}-2`)
      })
    )

    it.effect("whose links lead in a circle is refused", () =>
      Effect.gen(function* () {
        const { store } = yield* filled
        const archive = yield* store.read(exportBoard)
        const [a = "", b = "", c = ""] = archive.tasks.map(({ task }) => task.id)
        const linked = (links: Readonly<Record<string, { after?: ReadonlyArray<string>; parentId?: string }>>) => {
          const tasks = archive.tasks.map((one) => ({ ...one, task: { ...one.task, ...links[one.task.id] } }))
          return store.mutate((db) => importBoard(db, { ...archive, tasks }, { replace: true }))
        }
        const circles = [
          { [a]: { after: [a] } },
          { [a]: { after: [b] }, [b]: { after: [c, "gone"] }, [c]: { after: [b] } },
          { [a]: { parentId: b }, [b]: { parentId: a } }
        ]
        for (const links of circles) {
          const { message } = yield* Effect.flip(linked(links))
          assert.include(message, "back to itself")
          assert.deepStrictEqual(yield* store.read(exportBoard), archive)
        }
        yield* linked({ [a]: { after: [b, c, "gone"], parentId: c }, [b]: { after: [c], parentId: c } })
        // A card may be a part of one that waits for it.
        yield* linked({ [a]: { after: [b] }, [b]: { parentId: a } })
      })
    )

    it.effect("with an id twice, of another format or of a later version is refused", () =>
      Effect.gen(function* () {
        const { store } = yield* filled
        const archive = yield* store.read(exportBoard)
        const twiceARoutine = { ...archive, routines: [routine, routine] }
        const alsoRefused = yield* Effect.flip(store.mutate((db) => importBoard(db, twiceARoutine, { replace: true })))
        assert.include(alsoRefused.message, "twice")
        const twice = { ...archive, tasks: [...archive.tasks, ...archive.tasks] }
        const refused = yield* Effect.flip(store.mutate((db) => importBoard(db, twice, { replace: true })))
        assert.include(refused.message, "twice")
        assert.deepStrictEqual(yield* store.read(exportBoard), archive)
        const decode = Schema.decodeUnknownResult(BoardArchive)
        assert.isTrue(Result.isFailure(decode({ ...archive, version: 2 })))
        assert.isTrue(Result.isFailure(decode({ ...archive, format: "other" })))
        assert.isTrue(Result.isFailure(decode({ ...archive, tasks: [{}] })))
      })
    )
  })
})
