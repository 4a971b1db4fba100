import { Effect, Result } from "effect"
import type { BoardConfig, Parallel } from "../../../contract/schema/boardConfig.ts"
import type { Task } from "../../../contract/schema/task.ts"
import type { StoreError } from "../../platform/sqlite/Sqlite.ts"
import { loadConfig } from "../boardConfig.ts"
import type { TaskNotFound } from "../boardErrors.ts"
import { type Mutation, taskChange, withoutEvents } from "../boardEvents.ts"
import { beginRun, changeTask, type MutationContext, type RunRequest } from "../boardMutations.ts"
import { startReasons, workerOf } from "../flow/flowAnswers.ts"
import { agentOfRun } from "../runs/runPrompt.ts"
import {
  type Breaker,
  type Candidate,
  findBreaker,
  type LostLink,
  listCandidates,
  listLostLinks,
  lostAmong,
  noteStart,
  startsSince
} from "../store/automaticStore.ts"
import type { BoardDb, BoardStoreShape } from "../store/BoardStore.ts"
import { listRuns } from "../store/runStore.ts"
import { tasksIn } from "../store/taskPlaces.ts"
import { statusNumber } from "../store/taskRows.ts"
import { findTask, saveTask } from "../store/taskStore.ts"
import { patchTask } from "../tasks/taskRules.ts"
import { byPriority, MAX_STARTS, STARTS_COUNT_MS, startedTooOften } from "./automaticRules.ts"
import { trip } from "./loopBreaker.ts"

/** How much may start now. */
export interface Room {
  readonly parallel: Parallel
  /** Of cards that name no model. */
  readonly defaultModel: string | undefined
  /** How many cards may still go to `in-progress`; `undefined` without a limit. */
  readonly places: number | undefined
  /** The agents that work on a card, once for each. */
  readonly working: ReadonlyArray<string>
}

export interface Outlook {
  /** What could start at this moment, in the order of starting. */
  readonly cards: ReadonlyArray<Candidate>
  /** When the next card's time comes. */
  readonly nextAt: number | undefined
  readonly room: Room
}

/** What became of a card that was to start: `held` is looked at again, after `off` nothing starts any more. */
export type Begun = "started" | "held" | "off"

/** The board's side of cards that start by themselves. */
export interface AutomaticStarts {
  readonly outlook: (now: number) => Effect.Effect<Outlook, StoreError>
  /** Starts a card with an agent if nothing on the board holds it; of several consoles that try, one does. */
  readonly begin: (card: Pick<Candidate, "id" | "gatewayId">, agentId: string) => Effect.Effect<Begun, StoreError>
  /** Links to cards that will never be done by themselves, of cards that start by themselves and are in `todo`. */
  readonly lost: Effect.Effect<ReadonlyArray<LostLink>, StoreError>
  /** Lets a card wait for those no longer. */
  readonly unlinkLost: (id: string) => Effect.Effect<Task, TaskNotFound | StoreError>
  /** Why the board's automatic starts were switched off; `undefined` if they weren't, or by a person. */
  readonly breaker: Effect.Effect<Breaker | undefined, StoreError>
}

const roomOn = Effect.fnUntraced(function* (db: BoardDb, { columns, defaultModel, parallel }: BoardConfig) {
  const limit = columns.find(({ key }) => key === "in-progress")?.wipLimit ?? 0
  const inProgress = limit === 0 ? 0 : yield* tasksIn(db, [statusNumber("in-progress")])
  const room: Room = {
    parallel,
    defaultModel,
    places: limit === 0 ? undefined : Math.max(0, limit - inProgress),
    working: (yield* listRuns(db, "active")).map(({ gatewayId, sessionKey }) =>
      workerOf(gatewayId, agentOfRun(sessionKey))
    )
  }
  return room
})

/** Whether nothing can start, whoever would work on it. */
export const isFull = ({ parallel, places, working }: Room): boolean =>
  parallel.paused || working.length >= parallel.total || places === 0

const outlookOn = Effect.fnUntraced(function* (db: BoardDb, now: number): Effect.fn.Return<Outlook, StoreError> {
  const room = yield* roomOn(db, yield* loadConfig(db))
  // What ends a lack of room is told, so until then nothing has to be read.
  if (isFull(room)) return { cards: [], nextAt: undefined, room }
  const all = yield* listCandidates(db)
  const times = all.flatMap(({ startAt = 0 }) => (startAt > now ? [startAt] : []))
  return {
    cards: all.filter(({ startAt = 0 }) => startAt <= now).toSorted(byPriority),
    nextAt: times.length === 0 ? undefined : Math.min(...times),
    room
  }
})

/** Whether one more card fits, for an agent that would work on it. */
export const hasRoom = (room: Room, worker: string): boolean =>
  !isFull(room) && room.working.filter((busy) => busy === worker).length < room.parallel.perAgent

const begin = Effect.fnUntraced(function* (
  context: MutationContext,
  { gatewayId, id }: Pick<Candidate, "id" | "gatewayId">,
  request: RunRequest
): Effect.fn.Return<Mutation<Begun>, StoreError> {
  const { db, now } = context
  if (context.config.parallel.paused) return withoutEvents<Begun>("off")
  const before = yield* findTask(db, id)
  const isReady =
    before?.content.autoStart === true &&
    before.content.status === "todo" &&
    before.content.gatewayId === gatewayId &&
    (yield* startReasons(db, [before.content], context)).every((reasons) => reasons.length === 0)
  // The gate counts an agent by the card's own name for it, which isn't always the agent that works on it.
  if (!isReady || !hasRoom(yield* roomOn(db, context.config), workerOf(gatewayId, request.agentId)))
    return withoutEvents<Begun>("held")
  if ((yield* startsSince(db, id, now - STARTS_COUNT_MS)) >= MAX_STARTS) {
    const stopped = yield* saveTask(db, before, startedTooOften(before.content, now))
    return { value: "off", changes: [taskChange("updated", stopped), ...(yield* trip(context, id))], runs: [] }
  }
  // Nobody asked for it, so it's in nobody's name.
  const begun = yield* beginRun({ ...context, by: undefined }, id, { ...request, isAutomatic: true }).pipe(
    Effect.catchTag(["TaskNotFound", "InvalidTransition", "StartBlocked"], () => Effect.undefined)
  )
  const sessionKey = begun?.value.run?.sessionKey
  if (begun === undefined || sessionKey === undefined) return withoutEvents<Begun>("held")
  yield* noteStart(db, { sessionKey, taskId: id, at: now }, now - STARTS_COUNT_MS)
  return { ...begun, value: "started" }
})

const unlinkLost = Effect.fnUntraced(function* (context: MutationContext, id: string) {
  const stored = yield* findTask(context.db, id)
  const lost = stored === undefined ? new Set<string>() : yield* lostAmong(context.db, stored.seq)
  return yield* changeTask(context, id, ({ content }) =>
    Result.succeed(patchTask(content, { after: content.after.filter((one) => !lost.has(one)) }, context.now))
  )
})

interface Access {
  readonly mutate: <A, E>(
    body: (context: MutationContext) => Effect.Effect<Mutation<A>, E>
  ) => Effect.Effect<A, E | StoreError>
  readonly read: BoardStoreShape["read"]
}

export const makeAutomaticStarts = (
  { mutate, read }: Access,
  chooseModel: (context: MutationContext) => RunRequest["chooseModel"]
): AutomaticStarts => ({
  outlook: (now) => read((db) => outlookOn(db, now)),
  begin: (card, agentId) =>
    mutate((context) => begin(context, card, { agentId, chooseModel: chooseModel(context), thinking: undefined })),
  lost: read(listLostLinks),
  unlinkLost: (id) => mutate((context) => unlinkLost(context, id)),
  breaker: read(findBreaker)
})
