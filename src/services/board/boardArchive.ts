import { isDeepStrictEqual } from "node:util"
import { Effect, Schema } from "effect"
import { TaskAttempt } from "../../contract/schema/attempt.ts"
import { BoardConfig } from "../../contract/schema/boardConfig.ts"
import { TaskComment } from "../../contract/schema/comment.ts"
import type { KanbanChange } from "../../contract/schema/kanbanChange.ts"
import { Proposal } from "../../contract/schema/proposal.ts"
import { SavedView } from "../../contract/schema/savedView.ts"
import { Task } from "../../contract/schema/task.ts"
import { TaskTemplate } from "../../contract/schema/template.ts"
import { optionalEntry } from "../platform/optionalEntry.ts"
import { loadConfig, saveConfig } from "./boardConfig.ts"
import { ArchiveRefused } from "./boardErrors.ts"
import {
  configChange,
  type Mutation,
  proposalChange,
  routineChange,
  taskChange,
  taskDeleted,
  templateChange,
  viewsChange,
  withoutEvents
} from "./boardEvents.ts"
import { cardInCycle } from "./flow/cardInCycle.ts"
import { insertAttempt, listEveryAttempt } from "./store/attemptStore.ts"
import type { BoardDb, BoardStoreShape } from "./store/BoardStore.ts"
import { insertComment, listEveryComment } from "./store/commentStore.ts"
import { listProposals, saveProposal } from "./store/proposalStore.ts"
import { listRoutines, replaceRoutines, StoredRoutine } from "./store/routineStore.ts"
import { endEveryRun, listRuns } from "./store/runStore.ts"
import { selectEveryTask, storedTask } from "./store/taskRows.ts"
import { findTask, insertTask, taskAt } from "./store/taskStore.ts"
import { listTemplates, replaceTemplates } from "./store/templateStore.ts"
import { listViews, replaceViews } from "./store/viewStore.ts"
import { activeRun, type TaskContent } from "./tasks/taskRules.ts"

const FORMAT = "agent-console-board"

/** The whole board as `agent-console export` writes it. `runCount` keeps later runs from reusing earlier sessions. */
export const BoardArchive = Schema.Struct({
  format: Schema.Literal(FORMAT),
  version: Schema.Literal(1),
  config: BoardConfig,
  tasks: Schema.Array(
    Schema.Struct({
      task: Task,
      runCount: Schema.Int,
      comments: Schema.optionalKey(Schema.Array(TaskComment)),
      attempts: Schema.optionalKey(Schema.Array(TaskAttempt))
    })
  ),
  /** Oldest first. */
  proposals: Schema.Array(Proposal),
  /** Absent in files of versions that had none: those keep the views that are there. */
  views: Schema.optionalKey(Schema.Array(SavedView)),
  routines: Schema.optionalKey(Schema.Array(StoredRoutine)),
  templates: Schema.optionalKey(Schema.Array(TaskTemplate))
})
export type BoardArchive = typeof BoardArchive.Type

/** How much was imported. */
export interface Imported {
  readonly tasks: number
  readonly proposals: number
}

/** Everything on the board, tasks in board order. */
export const exportBoard = Effect.fnUntraced(function* (db: BoardDb) {
  const places = new Map<string, number>()
  const rows = yield* db.rows(selectEveryTask(db.dialect))
  const comments = yield* listEveryComment(db)
  const attempts = yield* listEveryAttempt(db)
  const tasks = rows.map(storedTask).map(({ content, runCount, seq }) => {
    const place = places.get(content.status) ?? 0
    places.set(content.status, place + 1)
    return {
      task: taskAt(content, place),
      runCount,
      ...optionalEntry("comments", comments.get(seq)),
      ...optionalEntry("attempts", attempts.get(seq))
    }
  })
  const archive: BoardArchive = {
    format: FORMAT,
    version: 1,
    config: yield* loadConfig(db),
    tasks,
    proposals: (yield* listProposals(db, undefined)).toReversed(),
    views: yield* listViews(db),
    routines: yield* listRoutines(db),
    templates: yield* listTemplates(db)
  }
  return archive
})

/** Whether there is no task and no proposal. */
const isEmptyBoard = (db: BoardDb) =>
  Effect.map(db.get("SELECT 1 FROM tasks UNION ALL SELECT 1 FROM proposals LIMIT 1"), (row) => row === undefined)

const repeatedId = (ids: ReadonlyArray<string>): string | undefined => {
  const seen = new Set<string>()
  return ids.find((id) => seen.size === seen.add(id).size)
}

/** A card that waits for itself, or is a part of itself, over any number of others. */
const circularId = (tasks: BoardArchive["tasks"]): string | undefined =>
  cardInCycle(tasks.flatMap(({ task: { after, id } }) => after.map((to) => ({ from: id, to })))) ??
  cardInCycle(
    tasks.flatMap(({ task: { id, parentId } }) => (parentId === undefined ? [] : [{ from: id, to: parentId }]))
  )

/** A run that was active on the original board isn't active here, so it counts as aborted. */
const settled = (content: TaskContent): TaskContent => {
  const run = activeRun(content)
  return run === undefined
    ? content
    : { ...content, status: "todo", run: { ...run, status: "aborted", endedAt: content.updatedAt } }
}

/** Removes every task and proposal. */
const clearBoard = Effect.fnUntraced(function* (db: BoardDb) {
  // Active runs are stopped by the running console, or by the next one.
  yield* endEveryRun(db)
  yield* db.run("DELETE FROM tasks")
  yield* db.run("DELETE FROM proposals")
  if (db.dialect === "postgres") yield* db.run("UPDATE board_state SET generation = generation + 1")
})

/** What is kept beside a task. */
const insertBeside = Effect.fnUntraced(function* (
  db: BoardDb,
  { attempts = [], comments = [], task }: BoardArchive["tasks"][number]
) {
  if (attempts.length === 0 && comments.length === 0) return
  const stored = yield* findTask(db, task.id)
  if (stored === undefined) return
  for (const comment of comments) yield* insertComment(db, stored.seq, comment)
  for (const attempt of attempts) yield* insertAttempt(db, stored.seq, attempt)
})

/** Replaces what an archive has besides tasks and proposals; absent parts stay as they are. */
const replaceRest = Effect.fnUntraced(function* (db: BoardDb, { routines, templates, views }: BoardArchive) {
  const changes: Array<KanbanChange> = []
  if (views !== undefined) {
    yield* replaceViews(db, views)
    changes.push(viewsChange(views))
  }
  if (routines !== undefined) {
    const gone = yield* listRoutines(db)
    yield* replaceRoutines(db, routines)
    changes.push(...[...gone, ...routines].map(({ id }) => routineChange(id)))
  }
  if (templates !== undefined) {
    const gone = yield* listTemplates(db)
    yield* replaceTemplates(db, templates)
    changes.push(...[...gone, ...templates].map(({ id }) => templateChange(id)))
  }
  return changes
})

/** Replaces an empty board with an exported one; with `replace`, any board. Publishes the removed and new tasks to the consoles that share it. */
export const importBoard = Effect.fnUntraced(function* (
  db: BoardDb,
  archive: BoardArchive,
  options: { readonly replace: boolean }
) {
  const { routines = [], templates = [] } = archive
  const twice =
    repeatedId(archive.tasks.map(({ task }) => task.id)) ??
    [archive.proposals, routines, templates].map((part) => repeatedId(part.map(({ id }) => id))).find((id) => id)
  if (twice !== undefined) return yield* new ArchiveRefused({ message: `the file contains the id ${twice} twice` })
  const circular = circularId(archive.tasks)
  if (circular !== undefined)
    return yield* new ArchiveRefused({ message: `in the file, links lead from the card ${circular} back to itself` })
  if (!options.replace && !(yield* isEmptyBoard(db))) {
    return yield* new ArchiveRefused({
      message: "the board isn't empty: export it first, then import with --replace"
    })
  }
  const gone = (yield* db.rows(selectEveryTask(db.dialect))).map(storedTask)
  yield* clearBoard(db)
  yield* saveConfig(db, archive.config)
  const inOrder = archive.tasks.toSorted((a, b) => a.task.columnOrder - b.task.columnOrder)
  const changes: Array<KanbanChange> = gone.map(({ content }) => taskDeleted(content.id, content.version))
  for (const archived of inOrder) {
    const { comments = [], runCount, task } = archived
    const { children, columnOrder, commentCount, waitsFor, ...content } = task
    const counted = { ...content, ...optionalEntry("commentCount", comments.length || null) }
    changes.push(taskChange("created", yield* insertTask(db, settled(counted), runCount)))
    yield* insertBeside(db, archived)
  }
  for (const proposal of archive.proposals) {
    yield* saveProposal(db, proposal)
    changes.push(proposalChange("created", proposal))
  }
  changes.push(...(yield* replaceRest(db, archive)))
  const imported: Mutation<Imported> = {
    value: { tasks: archive.tasks.length, proposals: archive.proposals.length },
    changes: [...changes, configChange(archive.config)],
    runs: []
  }
  return imported
})

const decodeResponses = Schema.decodeUnknownSync(
  Schema.Array(Schema.Struct({ session_key: Schema.String, run_id: Schema.String }))
)

/** The whole board, and which responses' markers were read. */
const readBoard = Effect.fnUntraced(function* (db: BoardDb) {
  const archive = yield* exportBoard(db)
  const responses = decodeResponses(yield* db.all("SELECT session_key, run_id FROM read_responses"))
  const keys = responses.map(({ run_id, session_key }) => JSON.stringify([session_key, run_id])).sort()
  return { archive, responses, keys }
})

type BoardCopy = Effect.Success<ReturnType<typeof readBoard>>

const isSame = (a: BoardCopy, b: BoardCopy): boolean =>
  isDeepStrictEqual(a.archive, b.archive) && isDeepStrictEqual(a.keys, b.keys)

const refuse = (message: string) => Effect.fail(new ArchiveRefused({ message }))

/** Copies a board into an empty store and checks that both are the same; if they differ, the target stays empty. */
export const moveBoard = Effect.fnUntraced(function* (source: BoardStoreShape, target: BoardStoreShape) {
  const original = yield* source.read(
    Effect.fnUntraced(function* (db) {
      if ((yield* listRuns(db, "active")).length > 0)
        return yield* refuse("agents are working on the board: wait for them or stop their runs, then move it")
      return yield* readBoard(db)
    })
  )
  const moved = yield* target.mutate(
    Effect.fnUntraced(function* (db) {
      if (!(yield* isEmptyBoard(db))) return yield* refuse("there's a board already where this one should go")
      const imported = yield* importBoard(db, original.archive, { replace: false })
      for (const { run_id, session_key } of original.responses)
        yield* db.run("INSERT INTO read_responses VALUES (?, ?) ON CONFLICT DO NOTHING", session_key, run_id)
      const copy = yield* readBoard(db)
      return isSame(original, copy)
        ? withoutEvents(imported.value)
        : yield* refuse("the copy isn't the same as the board: please report this")
    })
  )
  if (isSame(original, yield* source.read(readBoard))) return moved
  yield* target.mutate((db) =>
    Effect.map(Effect.andThen(clearBoard(db), db.run("DELETE FROM read_responses")), withoutEvents)
  )
  return yield* refuse("the board changed while it was moved: stop the consoles that use it, then move it")
})
