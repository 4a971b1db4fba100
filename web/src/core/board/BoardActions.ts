import type { TaskStatus } from "../../../../src/contract/board.ts"
import { say } from "../language/say.ts"
import type { ApiFailure, ApiResult } from "../link/apiTypes.ts"
import type { BoardStore } from "./BoardStore.ts"
import { latestOf, type StepBody } from "./boardApi.ts"
import type { CardWait, Task, TaskChanges } from "./boardTypes.ts"
import { indexOfPlace, type Place } from "./columns.ts"
import { changedFields, type FieldConflict, mergeTask, valuesOf } from "./mergeTask.ts"
import { waitsOf } from "./readBoard.ts"
import type { PendingChange } from "./visibleBoard.ts"
import { circleText } from "./waitText.ts"

/** How often a change is retried on a newer version of its card. */
const MAX_TRIES = 5
const MAX_WAIT = 15_000

const GONE = say("Someone else deleted this card.")

export type Outcome<A = Task> =
  | { readonly ok: true; readonly value: A }
  /** `elsewhere`: someone else moved the card in the meantime. */
  | { readonly ok: false; readonly reason: "gone" | "elsewhere" | "failed"; readonly message: string }

/** A saved change; fields that someone else changed to something else are left for a person to decide. */
export interface Saved {
  readonly task: Task
  readonly conflicts: ReadonlyArray<FieldConflict>
  /** What the changed fields had been. */
  readonly before: TaskChanges
}

/** How a step went; with what a card waits for, `force` would start it nevertheless. */
export type StepResult =
  | { readonly ok: true; readonly value: true }
  | { readonly ok: false; readonly message: string; readonly waitsFor: ReadonlyArray<CardWait> | null }

/** A deletion that can still be undone. */
export interface PendingRemoval {
  /** Restores the cards; nothing has been deleted yet. */
  readonly undo: () => void
  /** Deletes the cards, also while the page is being left; returns the first failure's sentence, if any. */
  readonly commit: () => Promise<string | null>
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const failed = (message: string): Outcome<never> => ({ ok: false, reason: "failed", message })
const gone: Outcome<never> = { ok: false, reason: "gone", message: GONE }

export interface BoardActions {
  /** Puts a card somewhere in a column. Its neighbours count, not its index, so others' moves don't matter. */
  move(id: string, status: TaskStatus, place: Place): Promise<Outcome>
  /** Puts cards somewhere one after another: all are shown there at once, and sent in order. */
  moveAll(ids: ReadonlyArray<string>, status: TaskStatus, place: Place): Promise<ReadonlyArray<Outcome>>
  /** Saves changes made to `base`; what others changed since is merged field by field. */
  patch(base: Task, changes: TaskChanges): Promise<Outcome<Saved>>
  /** Runs, approves, rejects or aborts; the server decides whether that is possible. */
  step(id: string, name: "execute" | "approve" | "reject" | "abort", body?: StepBody): Promise<StepResult>
  /** Hides cards until the deletion is decided; cards that can't be deleted come back. */
  remove(ids: ReadonlyArray<string>): PendingRemoval
}

/** People's actions on cards: shown at once, sent in order per card, merged if someone else was faster. */
export function createBoardActions(store: BoardStore): BoardActions {
  const queues = new Map<string, Promise<unknown>>()

  async function moveAll(
    ids: ReadonlyArray<string>,
    status: TaskStatus,
    place: Place
  ): Promise<ReadonlyArray<Outcome>> {
    const moves = ids.map((id, index) => {
      const before = ids[index - 1]
      const own: Place = before === undefined ? place : { after: before }
      const change: PendingChange = { id, kind: "move", status, place: own }
      const from = store.find(id)?.status
      store.begin(change)
      return { id, change, own, from }
    })
    const outcomes: Array<Outcome> = []
    for (const { id, change, own, from } of moves) {
      const send = (task: Task) => {
        if (task.status !== from && task.status !== status) return null
        const index = indexOfPlace(store.data.order[status], id, own)
        return store.calls.reorder(id, task.version, status, index)
      }
      outcomes.push(await queued(change, () => attempt(id, send)))
    }
    return outcomes
  }

  /** Shows a change, waits for earlier ones on the same card, then sends it. */
  function under<A>(change: PendingChange, run: () => Promise<A>): Promise<A> {
    store.begin(change)
    return queued(change, run)
  }

  async function queued<A>(change: PendingChange, run: () => Promise<A>): Promise<A> {
    const before = queues.get(change.id) ?? Promise.resolve()
    const mine = before.then(run).finally(() => store.settle(change))
    const kept = mine
      .catch(() => undefined)
      .finally(() => {
        if (queues.get(change.id) === kept) queues.delete(change.id)
      })
    queues.set(change.id, kept)
    return mine
  }

  /** Sends a change against the latest known version, and again while someone else is faster. */
  async function attempt(id: string, send: (task: Task) => Promise<ApiResult<Task>> | Task | null): Promise<Outcome> {
    let latest = store.data.find(id)
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (latest === undefined) return gone
      const sent = send(latest)
      if (sent === null) return { ok: false, reason: "elsewhere", message: say("Someone else moved this card.") }
      if (!(sent instanceof Promise)) return { ok: true, value: sent }
      const answer = await sent
      if (answer.ok) {
        store.take(answer.value)
        return answer
      }
      const next = await afterFailure(id, answer.error)
      if (typeof next !== "string") latest = next
      else if (next === GONE) return gone
      else return failed(next)
    }
    return failed(say("This card is changing too quickly. Try again."))
  }

  /** The card to retry with, or the sentence that ends it. */
  async function afterFailure(id: string, error: ApiFailure): Promise<Task | undefined | string> {
    const latest = latestOf(error)
    if (latest !== null) {
      store.take(latest)
      return store.data.find(id)
    }
    if (error.kind === "not_found") {
      store.drop(id)
      return GONE
    }
    const circle = circleText(error, store.data.find)
    if (circle !== null) return circle
    if (error.retryAfterMs === null || error.retryAfterMs > MAX_WAIT) return error.message
    await pause(error.retryAfterMs)
    return store.data.find(id)
  }

  return {
    move: async (id, status, place) => {
      const [outcome] = await moveAll([id], status, place)
      return outcome ?? gone
    },
    moveAll,
    patch: async (base, changes) => {
      let conflicts: ReadonlyArray<FieldConflict> = []
      let before: TaskChanges = {}
      const done = await under({ id: base.id, kind: "patch", changes }, () =>
        attempt(base.id, (task) => {
          const merged = mergeTask(base, changes, task)
          conflicts = merged.conflicts
          before = valuesOf(task, changedFields(merged.changes))
          if (changedFields(merged.changes).length === 0) return task
          return store.calls.patch(task.id, task.version, merged.changes)
        })
      )
      return done.ok ? { ok: true, value: { task: done.value, conflicts, before } } : done
    },
    step: async (id, name, body = {}) => {
      let waitsFor: ReadonlyArray<CardWait> | null = null
      const done = await under({ id, kind: "step" }, async (): Promise<Outcome> => {
        const answer = await store.calls.step(id, name, body)
        if (!answer.ok && answer.error.body?.error === "blocked") waitsFor = waitsOf(answer.error.body.waitsFor)
        if (answer.ok) store.take(answer.value)
        else if (answer.error.kind === "not_found") store.drop(id)
        else if (answer.error.kind === "conflict") void store.refresh()
        return answer.ok ? answer : failed(answer.error.kind === "not_found" ? GONE : answer.error.message)
      })
      return done.ok ? { ok: true, value: true } : { ok: false, message: done.message, waitsFor }
    },
    remove: (ids) => {
      const changes = ids.map((id): PendingChange => ({ id, kind: "remove" }))
      for (const change of changes) store.begin(change)
      let decided = false
      const settle = (change: PendingChange) => store.settle(change)
      return {
        undo: () => {
          if (decided) return
          decided = true
          changes.forEach(settle)
        },
        commit: async () => {
          if (decided) return null
          decided = true
          const messages = await Promise.all(
            changes.map(async (change) => {
              const answer = await store.calls.remove(change.id)
              const away = answer.ok || answer.error.kind === "not_found"
              if (away) store.drop(change.id)
              settle(change)
              return answer.ok || away ? [] : [answer.error.message]
            })
          )
          return messages.flat()[0] ?? null
        }
      }
    }
  }
}

/** What is left to say after a card was sent; null when all of it is saved. */
export const unsavedText = (done: Outcome<Saved>): string | null => {
  if (!done.ok) return done.message
  return done.value.conflicts.length > 0
    ? say("Someone else changed the same field. Choose which version to keep.")
    : null
}
