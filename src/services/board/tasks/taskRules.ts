import { Result } from "effect"
import type { Why } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"
import { PRIMARY } from "../../../contract/qualifiedKey.ts"
import type { TaskAttempt } from "../../../contract/schema/attempt.ts"
import type { BoardConfig } from "../../../contract/schema/boardConfig.ts"
import type {
  ChecklistInput,
  ChecklistItem,
  FeedbackEntry,
  HistoryEntry,
  RunLink,
  RunPause,
  Task,
  TaskStatus
} from "../../../contract/schema/task.ts"
import type { CreateTask, TaskChanges } from "../../../contract/schema/taskInputs.ts"
import { optionalEntry } from "../../platform/optionalEntry.ts"
import { InvalidTransition } from "../boardErrors.ts"

/** A task without what the store manages: its place in the column, and what other cards decide. */
export type TaskContent = Omit<Task, "columnOrder" | "children" | "waitsFor">

/** What a rule decided. */
export interface TaskChange {
  readonly task: TaskContent
  /** Index in the column of `task.status`, the end of that column, or its current place. */
  readonly place: number | "end" | "keep"
  /** The run this change ended, and whether the agent's session must be stopped on the gateway too. */
  readonly ended?: { readonly run: RunLink; readonly stop: boolean }
}

/** How a run ended, as reported by the poller or `POST …/complete`; `text` has no task markers. */
export type RunOutcome =
  | { readonly type: "done"; readonly text: string | undefined }
  | { readonly type: "error"; readonly error: string; readonly why?: Why | undefined; readonly stop: boolean }
  | { readonly type: "aborted" }

/** What else became known about a run. */
export interface RunDetails {
  readonly sessionId?: string
  readonly note?: string
  readonly noteWhy?: ReadonlyArray<Why>
}

/** Increments the version; the time never goes backwards, whatever the clock does. */
const touched = (task: TaskContent, now: number): TaskContent => ({
  ...task,
  version: task.version + 1,
  updatedAt: Math.max(now, task.updatedAt)
})

/** Who does something when the console doesn't know the person's name. */
export const OPERATOR = "operator"

const withFeedback = (
  task: TaskContent,
  note: string | undefined,
  now: number,
  by: string
): ReadonlyArray<FeedbackEntry> =>
  note === undefined || note.trim().length === 0 ? task.feedback : [...task.feedback, { at: now, by, note }]

const withoutPause = ({ paused: _, ...run }: RunLink): RunLink => run

const endRun = (
  run: RunLink,
  now: number,
  status: "done" | "error" | "aborted",
  error?: string,
  why?: Why
): RunLink => ({
  ...withoutPause(run),
  status,
  endedAt: Math.max(now, run.startedAt),
  ...(error === undefined ? {} : { error }),
  ...(why === undefined ? {} : { why })
})

/** The active run, if there is one. */
export const activeRun = (task: Pick<TaskContent, "status" | "run">): RunLink | undefined =>
  task.status === "in-progress" && task.run?.status === "running" ? task.run : undefined

/** The primary gateway goes without saying. */
const withoutPrimary = (gatewayId: string | null | undefined): string | null | undefined =>
  gatewayId === PRIMARY ? undefined : gatewayId

/** Doubled ids are kept once. */
const unrepeated = (ids: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(ids)]

/** The agent that an assignee names; the gateway's main one for everybody else. */
export const agentLabel = (assignee: string | undefined): string => {
  const label = assignee?.startsWith("agent:") === true ? assignee.slice("agent:".length) : "main"
  return /^[a-z0-9][a-z0-9_-]{0,63}$/.test(label) ? label : "main"
}

/** A new task, with the board's defaults for omitted fields. */
export const createTask = (
  { after = [], autoStart = false, checklist = [], gatewayId, ...input }: CreateTask,
  made: { readonly id: string; readonly now: number; readonly config: BoardConfig }
): TaskContent => ({
  ...input,
  ...optionalEntry("gatewayId", withoutPrimary(gatewayId)),
  ...optionalEntry("checklist", checklistOf(checklist)),
  id: made.id,
  status: input.status ?? made.config.defaults.status,
  priority: input.priority ?? made.config.defaults.priority,
  createdBy: input.createdBy ?? OPERATOR,
  createdAt: made.now,
  updatedAt: made.now,
  version: 1,
  labels: input.labels ?? [],
  feedback: [],
  after: unrepeated(after),
  autoStart
})

/** Puts a task into a column; leaving `in-progress` with an active run aborts that run. */
const moveTo = (task: TaskContent, status: TaskStatus, place: TaskChange["place"], now: number): TaskChange => {
  const run = activeRun(task)
  if (run === undefined || status === "in-progress") return { task: { ...task, status }, place }
  const ended = endRun(run, now, "aborted")
  return { task: { ...task, status, run: ended }, place, ended: { run: ended, stop: true } }
}

/** The fields whose value a patch sets or clears as it is. */
type PlainField = Exclude<
  keyof TaskChanges & keyof TaskContent,
  "status" | "gatewayId" | "checklist" | "after" | "autoStart"
>
type PlainChanges = { readonly [K in PlainField]?: TaskContent[K] | null | undefined }

const applied = (task: TaskContent, changes: PlainChanges, fields: ReadonlyArray<PlainField>): TaskContent => {
  const next: { -readonly [K in keyof TaskContent]: TaskContent[K] } = { ...task }
  const apply = <K extends PlainField>(field: K) => {
    const value = changes[field]
    if (value === null) Reflect.deleteProperty(next, field)
    else if (value !== undefined) next[field] = value
  }
  for (const field of fields) apply(field)
  return next
}

/** Applies a patch: absent keeps, `null` clears. An empty patch still creates a new version. */
export const patchTask = (task: TaskContent, changes: TaskChanges, now: number): TaskChange => {
  const { after, autoStart, checklist, gatewayId, status: _, ...plain } = changes
  const isPlain = (key: string): key is PlainField => Object.hasOwn(plain, key)
  const { checklist: steps, gatewayId: gateway, resultAt, ...kept } = touched(task, now)
  const next: TaskContent = {
    ...applied(kept, plain, Object.keys(plain).filter(isPlain)),
    ...optionalEntry("gatewayId", withoutPrimary(gatewayId === undefined ? gateway : gatewayId)),
    ...optionalEntry("resultAt", plain.result === undefined ? resultAt : plain.result === null ? null : now),
    ...optionalEntry("checklist", checklist === undefined ? steps : checklist && checklistOf(checklist)),
    ...(after === undefined ? {} : { after: unrepeated(after ?? []) }),
    ...(autoStart === undefined ? {} : { autoStart: autoStart ?? false })
  }
  return changes.status === undefined || changes.status === task.status
    ? { task: next, place: "keep" }
    : moveTo(next, changes.status, "end", now)
}

/** The task with so many comments. */
export const withCommentCount = (task: TaskContent, count: number, now: number): TaskChange => {
  const { commentCount, ...kept } = touched(task, now)
  return { task: { ...kept, ...optionalEntry("commentCount", count > 0 ? count : null) }, place: "keep" }
}

/** Puts a task at an index of a column; an index past the end means the end. */
export const reorderTask = (task: TaskContent, status: TaskStatus, index: number, now: number): TaskChange =>
  moveTo(touched(task, now), status, index, now)

/** Which console carries a run out, and on which gateway. */
interface RunPlace {
  readonly name: string
  readonly gateway: string
}

const placeOf = ({ gateway, name }: RunPlace) => ({ console: name, gateway })

/** Another console carries on the active run. */
export const takeOverRun = (task: TaskContent, by: RunPlace, now: number): TaskChange => {
  const run = activeRun(task)
  const next = touched(task, now)
  return { task: run === undefined ? next : { ...next, run: { ...run, ...placeOf(by) } }, place: "keep" }
}

/** Whether a task's column lets it start. */
export const mayStart = ({ status }: Pick<TaskContent, "status">): boolean => status === "todo" || status === "backlog"

/** Starts a run from `backlog` or `todo`; `undefined` when one is already active, which changes nothing. */
export const startRun = (
  task: TaskContent,
  run: { readonly sessionKey: string; readonly runId: string; readonly now: number; readonly by?: RunPlace | undefined }
): Result.Result<TaskChange | undefined, InvalidTransition> => {
  if (activeRun(task) !== undefined) return Result.succeed(undefined)
  if (!mayStart(task)) {
    return Result.fail(new InvalidTransition({ from: task.status, to: "in-progress" }))
  }
  return Result.succeed({
    task: {
      ...touched(task, run.now),
      status: "in-progress",
      run: {
        sessionKey: run.sessionKey,
        runId: run.runId,
        startedAt: run.now,
        status: "running",
        ...(run.by === undefined ? {} : placeOf(run.by)),
        ...optionalEntry("gatewayId", task.gatewayId)
      }
    },
    place: "end"
  })
}

/** The run that should end isn't active, or isn't this console's any more. */
export const noActiveRun = (task: TaskContent, to: TaskStatus): InvalidTransition =>
  new InvalidTransition({ from: task.status, to, failure: failure("NO_ACTIVE_RUN") })

/** Pauses the active run of a session; `undefined` if there's none, or it's paused already. */
export const pauseRun = (
  task: TaskContent,
  sessionKey: string,
  paused: RunPause,
  now: number
): TaskChange | undefined => {
  const run = activeRun(task)
  if (run === undefined || run.sessionKey !== sessionKey || run.paused !== undefined) return undefined
  return { task: { ...touched(task, now), run: { ...run, paused } }, place: "keep" }
}

/** Lets the active run of a session go on with another message, whose id is `runId`; `undefined` if there's none. */
export const resumeRun = (
  task: TaskContent,
  sessionKey: string,
  runId: string,
  now: number
): TaskChange | undefined => {
  const run = activeRun(task)
  if (run === undefined || run.sessionKey !== sessionKey) return undefined
  return { task: { ...touched(task, now), run: { ...withoutPause(run), runId } }, place: "keep" }
}

/** Aborts a run that the stop of everything has paused: to `todo`, with the reason. */
export const abortStopped = (
  task: TaskContent,
  sessionKey: string,
  reason: string,
  now: number,
  by = OPERATOR
): TaskChange | undefined => {
  const run = activeRun(task)
  if (run === undefined || run.sessionKey !== sessionKey) return undefined
  const ended = endRun(run, now, "aborted", reason)
  return {
    task: { ...touched(task, now), feedback: withFeedback(task, reason, now, by), status: "todo", run: ended },
    place: "end",
    ended: { run: ended, stop: false }
  }
}

/**
 * Ends the active run with its outcome: to `review` (or `done` if no review is required) or back to `todo`. With
 * `only`, the active run must be that one.
 */
export const finishRun = (
  task: TaskContent,
  outcome: RunOutcome,
  config: BoardConfig,
  now: number,
  only?: { readonly sessionKey: string; readonly about: RunDetails }
): Result.Result<TaskChange, InvalidTransition> => {
  const success: TaskStatus = config.reviewRequired ? "review" : "done"
  const active = activeRun(task)
  const run = active === undefined || only === undefined ? active : { ...active, ...only.about }
  if (run === undefined || (only !== undefined && run.sessionKey !== only.sessionKey))
    return Result.fail(noActiveRun(task, outcome.type === "done" ? success : "todo"))
  // What the runner sees of a stop is no end of the run.
  if (only !== undefined && run.paused !== undefined && outcome.type !== "done")
    return Result.fail(noActiveRun(task, "todo"))
  const next = touched(task, now)
  switch (outcome.type) {
    case "done": {
      const ended = endRun(run, now, "done")
      const result = outcome.text === undefined ? {} : { result: outcome.text, resultAt: now }
      return Result.succeed({
        task: { ...next, ...result, status: success, run: ended },
        place: "end",
        ended: { run: ended, stop: false }
      })
    }
    case "error": {
      const ended = endRun(run, now, "error", outcome.error, outcome.why)
      return Result.succeed({
        task: { ...next, status: "todo", run: ended },
        place: "end",
        ended: { run: ended, stop: outcome.stop }
      })
    }
    case "aborted": {
      const ended = endRun(run, now, "aborted")
      return Result.succeed({
        task: { ...next, status: "todo", run: ended },
        place: "end",
        ended: { run: ended, stop: false }
      })
    }
  }
}

/** Aborts the active run: to `todo`, the note kept as feedback. */
export const abortRun = (
  task: TaskContent,
  note: string | undefined,
  now: number,
  by = OPERATOR
): Result.Result<TaskChange, InvalidTransition> =>
  activeRun(task) === undefined
    ? Result.fail(noActiveRun(task, "todo"))
    : Result.succeed(moveTo({ ...touched(task, now), feedback: withFeedback(task, note, now, by) }, "todo", "end", now))

const notInReview = (task: TaskContent, to: TaskStatus): InvalidTransition =>
  new InvalidTransition({ from: task.status, to, failure: failure("NOT_IN_REVIEW") })

/** Accepts a reviewed task: to `done`, the note kept as feedback. */
export const approveTask = (
  task: TaskContent,
  note: string | undefined,
  now: number,
  by = OPERATOR
): Result.Result<TaskChange, InvalidTransition> =>
  task.status !== "review"
    ? Result.fail(notInReview(task, "done"))
    : Result.succeed({
        task: { ...touched(task, now), status: "done", feedback: withFeedback(task, note, now, by) },
        place: "end"
      })

/** Sends a reviewed task back: to `todo` without run and result, the note kept as feedback for the next run. */
export const rejectTask = (
  task: TaskContent,
  note: string,
  now: number,
  by = OPERATOR
): Result.Result<TaskChange, InvalidTransition> => {
  if (task.status !== "review") return Result.fail(notInReview(task, "todo"))
  const { run, result, resultAt, ...kept } = touched(task, now)
  return Result.succeed({
    task: { ...kept, status: "todo", feedback: withFeedback(task, note, now, by) },
    place: "end"
  })
}

/** The run that a change leaves behind, with what it handed in. */
export const attemptLeft = ({ result, run }: TaskContent, next: TaskContent): TaskAttempt | undefined =>
  run === undefined || run.sessionKey === next.run?.sessionKey
    ? undefined
    : { run, ...optionalEntry("result", run.status === "done" ? result : undefined) }

/** Most entries a card keeps; the oldest go first. */
export const MAX_HISTORY = 100

/** The change with who made it, if it took the card to another column and the board knows who that was. */
export const withHistory = (
  before: TaskContent,
  change: TaskChange,
  did: HistoryEntry["what"] | undefined,
  by: string | undefined
): TaskChange => {
  const { task } = change
  if (did === undefined || by === undefined || before.status === task.status) return change
  const entry = { at: task.updatedAt, by, what: did, from: before.status, to: task.status }
  return { ...change, task: { ...task, history: [...(before.history ?? []), entry].slice(-MAX_HISTORY) } }
}

/** The checklist with an id for every item: the lowest number that is free. An empty one is none. */
export const checklistOf = (items: ChecklistInput): ReadonlyArray<ChecklistItem> | null => {
  const taken = new Set(items.flatMap(({ id }) => id ?? []))
  let number = 0
  const nextId = () => {
    do number += 1
    while (taken.has(String(number)))
    return String(number)
  }
  return items.length === 0
    ? null
    : items.map(({ id, text, done }) => ({ id: id ?? nextId(), text, done: done ?? false }))
}

/** The items as Markdown, for agents to read. */
export const checklistMarkdown = (items: ReadonlyArray<ChecklistItem> | undefined): string =>
  (items ?? []).map(({ text, done }) => `- [${done ? "x" : " "}] ${text}`).join("\n")
