import { Context, Effect, Layer, PubSub } from "effect"
import type { TaskQuery } from "../../contract/schema/taskInputs.ts"
import { EventBus } from "../platform/events/EventBus.ts"
import { optionalEntry } from "../platform/optionalEntry.ts"
import { makeAutomaticStarts } from "./automatic/automaticStarts.ts"
import { authorFor, PersonName } from "./BoardPerson.ts"
import type { BoardShape, PageOf } from "./BoardShape.ts"
import { loadConfig, saveConfig, updateConfig } from "./boardConfig.ts"
import { TaskNotFound } from "./boardErrors.ts"
import { configChange, type RunChange, type RunNote, withoutEvents } from "./boardEvents.ts"
import {
  addComment,
  addTask,
  beginRun,
  changeRun,
  changeTask,
  compareAndSet,
  patchAny,
  removeComment,
  removeTask,
  seenTask
} from "./boardMutations.ts"
import { boardReading, boardTransaction, taskTransaction } from "./boardTransaction.ts"
import { withFlow } from "./flow/flowAnswers.ts"
import {
  addProposal,
  proposeFromSession,
  resolveByApproval,
  resolveByRejection
} from "./proposals/proposalMutations.ts"
import { decodeAsk, readAnswer } from "./proposals/readAnswer.ts"
import { endRun } from "./runs/endRun.ts"
import { makeLeases } from "./runs/RunLeases.ts"
import { runNotes } from "./runs/runNotes.ts"
import { listAttempts } from "./store/attemptStore.ts"
import { clearBreaker } from "./store/automaticStore.ts"
import { type BoardDb, BoardStore } from "./store/BoardStore.ts"
import { listComments } from "./store/commentStore.ts"
import { owedStops } from "./store/leaseRows.ts"
import { findResults } from "./store/linkStore.ts"
import { listProposals } from "./store/proposalStore.ts"
import { endRunOrder, listRuns } from "./store/runStore.ts"
import { listTasks, listTaskTexts } from "./store/taskList.ts"
import { findTask, findWaiting, placedTask } from "./store/taskStore.ts"
import { makeTaskTexts } from "./store/taskTexts.ts"
import { listViews, removeView, saveView } from "./store/viewStore.ts"
import {
  abortRun,
  abortStopped,
  approveTask,
  pauseRun,
  type RunOutcome,
  rejectTask,
  reorderTask,
  resumeRun
} from "./tasks/taskRules.ts"

/** A run's model if neither request, task nor board names one and the gateway offers it. */
export const FALLBACK_MODEL = "anthropic/claude-sonnet-4-5"

/** The model for a run, from the first place that names one, and whether it's only the fallback. */
const chooseModel = (
  ...named: ReadonlyArray<string | undefined>
): { readonly model: string; readonly isFallback: boolean } => {
  const model = named.find((candidate) => candidate !== undefined)
  return model === undefined ? { model: FALLBACK_MODEL, isFallback: true } : { model, isFallback: false }
}

const pageOf = <A>({ limit, offset }: TaskQuery, { items, total }: Pick<PageOf<A>, "items" | "total">): PageOf<A> => ({
  items,
  total,
  limit,
  offset,
  hasMore: offset + items.length < total
})

const seqOf = Effect.fnUntraced(function* (db: BoardDb, id: string) {
  const { seq } = (yield* findTask(db, id)) ?? (yield* new TaskNotFound({ id }))
  return seq
})

/** The task board: every change durable when a method returns, published after that. */
export class Board extends Context.Service<Board, BoardShape>()("agent-console/services/board/Board") {
  static readonly layer = Layer.effect(
    Board,
    Effect.gen(function* () {
      const store = yield* BoardStore
      const events = yield* EventBus
      const runChanges = yield* PubSub.unbounded<RunChange>()
      yield* Effect.addFinalizer(() => PubSub.shutdown(runChanges))
      const notes = yield* PubSub.unbounded<RunNote>()
      yield* Effect.addFinalizer(() => PubSub.shutdown(notes))
      const texts = makeTaskTexts()

      yield* store.follow(
        Effect.fnUntraced(function* ({ changes, runs, notes: more = [] }) {
          for (const change of changes) yield* events.publish({ event: "kanban.changed", data: change })
          for (const change of runs) yield* PubSub.publish(runChanges, change)
          for (const note of [...runNotes(changes, runs), ...more]) yield* PubSub.publish(notes, note)
        })
      )

      const self = store.shared?.self
      const person = yield* PersonName
      const mutate = yield* boardTransaction
      const mutateTask = yield* taskTransaction
      const read = yield* boardReading

      return Board.of({
        list: (query) =>
          read(
            Effect.fnUntraced(function* (db, context) {
              const { items, total } = yield* listTasks(db, query, context)
              return pageOf(query, { items: yield* withFlow(db, items, context), total })
            })
          ),
        listText: (query) =>
          read((db, context) =>
            Effect.map(listTaskTexts(db, query, texts, context), (found) => {
              const { items, ...page } = pageOf(query, found)
              let text = '{"items":['
              // Added one by one, a page is put together once, when it's sent.
              for (const [index, item] of items.entries()) text += index === 0 ? item : `,${item}`
              return `${text}],${JSON.stringify(page).slice(1)}`
            })
          ),
        get: (id) =>
          read(
            Effect.fnUntraced(function* (db, context) {
              const task = yield* placedTask(db, (yield* findTask(db, id)) ?? (yield* new TaskNotFound({ id })))
              return (yield* withFlow(db, [task], context))[0] ?? task
            })
          ),
        waiting: store.read(
          Effect.fnUntraced(function* (db) {
            return yield* Effect.all((yield* findWaiting(db)).map((stored) => placedTask(db, stored)))
          })
        ),
        create: (input) => mutateTask((context) => addTask(context, input)),
        patch: (id, { version, ...changes }) =>
          mutateTask((context) =>
            Effect.flatMap(seenTask(context, id, version), (before) => patchAny(context, before, changes, "moved"))
          ),
        remove: (id) => mutate((context) => removeTask(context, id)),
        reorder: (id, { version, targetStatus, targetIndex }) =>
          mutateTask((context) =>
            compareAndSet(context, id, version, (before) =>
              reorderTask(before.content, targetStatus, targetIndex, context.now)
            )
          ),
        begin: (id, request, agentId) =>
          mutateTask((context) =>
            beginRun(context, id, {
              agentId,
              force: request.force,
              chooseModel: (task) => chooseModel(request.model, task.content.model, context.config.defaultModel),
              thinking: request.thinking
            })
          ),
        complete: Effect.fnUntraced(function* (id, { result, error }) {
          const answer = result === undefined ? undefined : readAnswer(result)
          const outcome: RunOutcome =
            error === undefined || error.trim().length === 0
              ? { type: "done", text: answer?.text }
              : { type: "error", error, stop: false }
          const used = outcome.type === "done" ? answer : undefined
          return yield* mutateTask((context) => endRun(context, id, outcome, used))
        }),
        completeSeen: Effect.fnUntraced(function* (id, version, result) {
          const answer = readAnswer(result)
          return yield* mutateTask((context) =>
            Effect.andThen(
              seenTask(context, id, version),
              endRun(context, id, { type: "done", text: answer.text }, answer)
            )
          )
        }),
        approve: (id, { note }) =>
          mutateTask((context) =>
            changeTask(context, id, ({ content }) => approveTask(content, note, context.now, context.by), "approved")
          ),
        reject: (id, { note }) =>
          mutateTask((context) =>
            changeTask(context, id, ({ content }) => rejectTask(content, note, context.now, context.by), "sent-back")
          ),
        abort: (id, { note }) =>
          mutateTask((context) =>
            changeTask(context, id, ({ content }) => abortRun(content, note, context.now, context.by), "stopped")
          ),
        comments: (id) => store.read((db) => Effect.flatMap(seqOf(db, id), (seq) => listComments(db, seq))),
        attempts: (id) => store.read((db) => Effect.flatMap(seqOf(db, id), (seq) => listAttempts(db, seq))),
        results: (ids) => read((db, { config }) => (config.handOver ? findResults(db, ids) : Effect.succeed([]))),
        comment: (id, { text }) =>
          Effect.flatMap(authorFor(person), (by) => mutate((context) => addComment(context, id, by, text))),
        removeComment: (id, commentId) => mutate((context) => removeComment(context, id, commentId)),
        views: store.read(listViews),
        saveView: (id, view) => store.mutate((db) => saveView(db, id, view)),
        removeView: (id) => store.mutate((db) => removeView(db, id)),
        proposals: (status) => store.read((db) => listProposals(db, status)),
        propose: Effect.fnUntraced(function* ({ type, payload, proposedBy, sourceSessionKey }, ownCard) {
          const ask = yield* Effect.fromResult(decodeAsk(type, payload))
          const by = {
            proposedBy: proposedBy ?? "operator",
            ...optionalEntry("sourceSessionKey", sourceSessionKey)
          }
          return yield* mutate((context) => addProposal(context, ask, by, ownCard))
        }),
        proposeFromSession: (response, text) => {
          const { asks } = readAnswer(text)
          return asks.length === 0 ? Effect.void : mutate((context) => proposeFromSession(context, response, asks))
        },
        approveProposal: (id) => mutate((context) => resolveByApproval(context, id)),
        rejectProposal: (id, { reason }) => mutate((context) => resolveByRejection(context, id, reason)),
        config: store.read(loadConfig),
        updateConfig: (patch) =>
          mutate(({ db, config }) => {
            const next = updateConfig(config, patch)
            const changed = { value: next, changes: [configChange(next)], runs: [] }
            const counted = patch.parallel?.paused === false ? clearBreaker(db) : Effect.void
            return Effect.as(Effect.andThen(saveConfig(db, next), counted), changed)
          }),
        runs: (state) =>
          store.read((db) => (self === undefined || state === "active" ? listRuns(db, state) : owedStops(db, self))),
        automatic: makeAutomaticStarts(
          { mutate, read: store.read },
          ({ config }) =>
            ({ content }) =>
              chooseModel(content.model, config.defaultModel)
        ),
        leases: self === undefined ? undefined : makeLeases(self, { mutate, read: store.read }),
        runChanges: PubSub.subscribe(runChanges),
        notes: PubSub.subscribe(notes),
        finish: Effect.fnUntraced(function* (run, outcome, about = {}) {
          const answer = outcome.type === "done" && outcome.text !== undefined ? readAnswer(outcome.text) : undefined
          const found: RunOutcome = answer === undefined ? outcome : { type: "done", text: answer.text }
          const only = { order: run, about }
          yield* mutate((context) => endRun(context, run.taskId, found, answer, only)).pipe(
            // Something else ended the run meanwhile, and that takes precedence.
            Effect.catchTag(["TaskNotFound", "InvalidTransition"], () => Effect.void)
          )
        }),
        pauseRun: (id, sessionKey, paused) =>
          mutate((context) => changeRun(context, id, (task) => pauseRun(task, sessionKey, paused, context.now))).pipe(
            Effect.asVoid,
            Effect.catchTag("TaskNotFound", () => Effect.void)
          ),
        resumeRun: (id, sessionKey, runId) =>
          mutate((context) =>
            changeRun(
              context,
              id,
              (task) =>
                task.run?.runId === runId && task.run.paused === undefined
                  ? undefined
                  : resumeRun(task, sessionKey, runId, context.now),
              { sessionKey, runId }
            )
          ).pipe(Effect.catchTag("TaskNotFound", () => Effect.succeed(false))),
        abortStopped: (id, sessionKey, reason) =>
          mutate((context) =>
            changeRun(context, id, (task) => abortStopped(task, sessionKey, reason, context.now, context.by))
          ).pipe(
            Effect.asVoid,
            Effect.catchTag("TaskNotFound", () => Effect.void)
          ),
        stopped: (sessionKey) => store.mutate((db) => Effect.map(endRunOrder(db, sessionKey, false), withoutEvents))
      })
    })
  )
}
