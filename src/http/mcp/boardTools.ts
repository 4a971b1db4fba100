import { Effect, Schema } from "effect"
import { Tool, Toolkit } from "effect/ai"
import type { AGENT_RIGHTS } from "../../contract/agentRights.ts"
import { OWN_CARD } from "../../contract/board.ts"
import type { AgentToken } from "../../contract/schema/access.ts"
import { CommentText, TaskComment } from "../../contract/schema/comment.ts"
import { epochMillis, filledText, flag, list, wholeNumber } from "../../contract/schema/fields.ts"
import { Proposal } from "../../contract/schema/proposal.ts"
import {
  Actor,
  After,
  ChecklistInput,
  Description,
  Labels,
  ResultText,
  Retry,
  Task,
  TaskId,
  TaskPriority,
  TaskStatus,
  Title,
  Version
} from "../../contract/schema/task.ts"
import { CreateAsk, DueAt, type TaskChanges, UpdatePayload } from "../../contract/schema/taskInputs.ts"
import { GATEWAY_TOKEN_NAME } from "../../services/access/agents/GatewayAgents.ts"
import { letsStart } from "../../services/board/automatic/automaticRules.ts"
import { Board } from "../../services/board/Board.ts"
import { asAgent } from "../../services/board/BoardPerson.ts"
import { VersionConflict } from "../../services/board/boardErrors.ts"
import { holdsPerson } from "../../services/board/flow/startGate.ts"
import { activeRun } from "../../services/board/tasks/taskRules.ts"
import { TaskLine, taskLine, UNTRUSTED } from "./boardResources.ts"
import { Caller } from "./Caller.ts"
import { explain, heldByAnother, notPossible, ToolFailure } from "./toolFailure.ts"

/** Small pages: a list is for choosing from. */
export const MAX_TASKS = 50

const described = <S extends Schema.Top>(schema: S, description: string): S["Rebuild"] =>
  schema.annotate({ description })
const optional = Schema.optionalKey

const id = described(filledText(200), "The task's id.")
const version = described(
  Version,
  "The version of the task that you have read. If somebody has changed the task since, you get the latest one instead."
)
const changeable = {
  title: optional(described(Title, "One line.")),
  description: optional(described(Description, "Markdown: what is to be done, and how one sees that it's done.")),
  priority: optional(TaskPriority),
  assignee: optional(described(Actor, 'Who does it: "operator" or "agent:<name>".')),
  labels: optional(Labels),
  checklist: optional(
    described(
      ChecklistInput,
      "The steps, the whole list each time: keep the ids you have read, and set done to tick one."
    )
  )
}

const flow = {
  after: described(After, "Ids of the tasks that have to be done before this one starts, the whole list each time."),
  parentId: described(TaskId, 'The task this one is a part of; "self" is the task that your run works on.'),
  startAt: described(epochMillis, "It doesn't start before this moment, in epoch milliseconds."),
  autoStart: described(
    flag,
    "Whether an agent starts it by itself as soon as nothing holds it. Without the right to run, the whole change becomes a proposal."
  ),
  retry: described(Retry, "How often an automatic run that failed is tried again, and after how many minutes.")
}
const newFlow = {
  after: optional(flow.after),
  parentId: optional(flow.parentId),
  startAt: optional(flow.startAt),
  autoStart: optional(flow.autoStart),
  retry: optional(flow.retry)
}
const orNull = <S extends Schema.Top>(schema: S) => optional(Schema.NullOr(schema))
const changedFlow = {
  after: orNull(flow.after),
  parentId: orNull(flow.parentId),
  startAt: orNull(flow.startAt),
  autoStart: orNull(flow.autoStart),
  retry: orNull(flow.retry)
}

/** What a change led to: the task as it is now, or the proposal that waits for a person. */
export const Changed = Schema.Struct({
  task: Schema.optionalKey(TaskLine),
  proposal: Schema.optionalKey(Schema.Struct({ id: Schema.String, status: Proposal.members[0].fields.status })),
  help: Schema.optionalKey(Schema.String)
})

const common = { failure: ToolFailure, dependencies: [Caller] }

export const ListTasks = Tool.make("list_tasks", {
  ...common,
  description:
    "List tasks of the board, without their long texts. Filters are combined; without any, all tasks are listed, column by column.",
  parameters: Schema.Struct({
    status: optional(described(list(TaskStatus, 0, 10), "Only tasks in these columns.")),
    priority: optional(described(list(TaskPriority, 0, 10), "Only tasks of these priorities.")),
    assignee: optional(described(Actor, 'Only tasks of "operator" or "agent:<name>".')),
    label: optional(filledText(100)),
    text: optional(described(filledText(200), "Only tasks with this text in the title, description or labels.")),
    ready: optional(described(Schema.Literal(true), "Only tasks in backlog or todo that could start now.")),
    blocked: optional(described(Schema.Literal(true), "Only tasks in backlog or todo that couldn't start now.")),
    parentId: optional(described(TaskId, 'Only parts of this task; "self" is the task that your run works on.')),
    after: optional(described(TaskId, "Only tasks in backlog or todo that wait for this one.")),
    limit: optional(described(wholeNumber(1, MAX_TASKS), `1 to ${MAX_TASKS}, 20 if omitted.`)),
    offset: optional(described(wholeNumber(0), "How many to skip, to get the next page."))
  }),
  success: Schema.Struct({
    note: Schema.String,
    tasks: Schema.Array(TaskLine),
    total: Schema.Int,
    hasMore: Schema.Boolean
  })
})
  .annotate(Tool.Readonly, true)
  .annotate(Tool.Destructive, false)

export const GetTask = Tool.make("get_task", {
  ...common,
  description: "Read one task with its description, checklist, result, run, feedback and comments.",
  parameters: Schema.Struct({ id }),
  success: Schema.Struct({ note: Schema.String, task: Task, comments: optional(Schema.Array(TaskComment)) })
})
  .annotate(Tool.Readonly, true)
  .annotate(Tool.Destructive, false)

export const CreateTask = Tool.make("create_task", {
  ...common,
  description: "Add a task to the board. Without the right to write, it becomes a proposal that a person decides on.",
  parameters: Schema.Struct({
    ...changeable,
    title: described(Title, "One line: what is to be done."),
    ...newFlow,
    status: optional(described(TaskStatus, "The column; the board's default if omitted.")),
    dueAt: optional(described(DueAt, "The day it's due, such as 2026-12-03; or a moment in epoch milliseconds."))
  }),
  success: Changed
}).annotate(Tool.Destructive, false)

export const UpdateTask = Tool.make("update_task", {
  ...common,
  description:
    "Change fields of a task; what you leave out stays. Without the right to write, it becomes a proposal that a person decides on; so it does without the right to run, if it may make the task start by itself.",
  parameters: Schema.Struct({ id, version, ...changeable, ...changedFlow, result: optional(ResultText) }),
  success: Changed
})

export const MoveTask = Tool.make("move_task", {
  ...common,
  description:
    "Move a task to a column. Moving it out of in-progress stops an agent that works on it. Without the right to write, it becomes a proposal; so it does without the right to run, if it may make the task start by itself.",
  parameters: Schema.Struct({
    id,
    version,
    status: described(TaskStatus, "The column."),
    position: optional(described(wholeNumber(0), "The place in the column, from 0 at the top; the end if omitted."))
  }),
  success: Changed
})

export const ClaimTask = Tool.make("claim_task", {
  ...common,
  description:
    "Take a task from backlog or todo for yourself, and into in-progress, before you work on it. If several agents try, exactly one gets it.",
  parameters: Schema.Struct({ id, version }),
  success: Changed
}).annotate(Tool.Destructive, false)

export const CompleteTask = Tool.make("complete_task", {
  ...common,
  description:
    "Finish a task that is in progress, with its result. It goes to review, or to done where the board asks for no review.",
  parameters: Schema.Struct({
    id,
    version,
    result: described(ResultText, "Markdown: what was done, and where it can be seen.")
  }),
  success: Changed
}).annotate(Tool.Destructive, false)

export const CommentTask = Tool.make("comment_task", {
  ...common,
  description:
    "Say something about a task, for people and other agents to read. It needs no version, and the task gets a new one.",
  parameters: Schema.Struct({ id, text: described(CommentText, "Markdown.") }),
  success: Schema.Struct({ comment: TaskComment })
}).annotate(Tool.Destructive, false)

export const Propose = Tool.make("propose", {
  ...common,
  description:
    "Propose a new task or a change of one, for a person to approve or reject. A board can be set to approve proposals at once.",
  parameters: Schema.Struct({
    create: optional(described(CreateAsk, "The new task.")),
    update: optional(described(UpdatePayload, "The id of a task, and the fields to change."))
  }),
  success: Changed
}).annotate(Tool.Destructive, false)

/** The board as tools. */
export const BoardTools = Toolkit.make(
  ListTasks,
  GetTask,
  CreateTask,
  UpdateTask,
  MoveTask,
  ClaimTask,
  CompleteTask,
  CommentTask,
  Propose
)

const DEFAULT_TASKS = 20
const NO_RUN = notPossible('Only a token that was made for a run has a task of its own: give the id instead of "self".')
const LAST = Number.MAX_SAFE_INTEGER

const applied = (task: Task) => ({ task: taskLine(task) })

const proposed = ({ id, status }: Proposal) => ({
  proposal: { id, status },
  help:
    status === "pending"
      ? "A person decides on this proposal. The board is as it was until then."
      : "The proposal was approved at once: the board is changed."
})

/**
 * The holder of a task in progress, if it isn't the caller. A run belongs to its agent, and to the
 * gateway's own token, which all of its agents share.
 */
const holderOf = (task: Task, { name }: AgentToken): string | undefined => {
  const me = `agent:${name}`
  const run = activeRun(task)
  const worker = run === undefined ? undefined : /^agent:[^:]+/.exec(run.sessionKey)?.[0]
  if (worker !== undefined) {
    return worker === me || task.assignee === me || name === GATEWAY_TOKEN_NAME ? undefined : worker
  }
  return task.assignee === me ? undefined : task.assignee
}

/** The board's tools; their changes carry the agent's name. */
export const BoardToolHandlers = BoardTools.toLayer(
  Effect.gen(function* () {
    const board = yield* Board

    const actor = Effect.map(Caller, ({ name }) => `agent:${name}`)
    /** Carries it out in the agent's name, not in that of the person whose console this is. */
    const asCaller = <A, E, R>(change: Effect.Effect<A, E, R>) => Effect.flatMap(actor, (name) => asAgent(name)(change))
    const hasRight = (right: (typeof AGENT_RIGHTS)[number]) =>
      Effect.map(Caller, ({ rights }) => rights.includes(right))

    /** The same fields, with the task that `self` stands for. */
    const ofRun = Effect.fnUntraced(function* <A extends { readonly parentId?: string | null }>(fields: A) {
      if (fields.parentId !== OWN_CARD) return fields
      const { taskId } = yield* Caller
      return taskId === undefined ? yield* Effect.fail(NO_RUN) : { ...fields, parentId: taskId }
    })

    const propose = (type: "create" | "update", payload: Readonly<Record<string, unknown>>) =>
      Effect.gen(function* () {
        const { taskId } = yield* Caller
        if (payload.parentId === OWN_CARD && taskId === undefined) return yield* Effect.fail(NO_RUN)
        return proposed(yield* board.propose({ type, payload, proposedBy: yield* actor }, taskId))
      })

    /** The task, if this is still the version the agent has read. */
    const seen = Effect.fnUntraced(function* (id: string, version: number) {
      const task = yield* board.get(id)
      return task.version === version ? task : yield* new VersionConflict({ latest: task })
    })

    /** Whether a change of a task applies at once; one that can make it start takes the right to run besides. */
    const mayChange = Effect.fnUntraced(function* (id: string, version: number, changes: TaskChanges) {
      const mayWrite = yield* hasRight("write")
      if (mayWrite && (yield* hasRight("run"))) return true
      // Whatever happens to the task from here on gives it another version, which refuses the change.
      const before = yield* seen(id, version)
      return mayWrite && !letsStart(before, changes)
    })

    return BoardTools.of({
      list_tasks: Effect.fn("list_tasks")(function* ({ status = [], priority = [], text, ...filters }) {
        const { limit = DEFAULT_TASKS, offset = 0, ...others } = yield* ofRun(filters)
        const { items, total, hasMore } = yield* board.list({
          statuses: status,
          priorities: priority,
          ...others,
          ...(text === undefined ? {} : { q: text }),
          limit,
          offset
        })
        return { note: UNTRUSTED, tasks: items.map(taskLine), total, hasMore }
      }, explain),
      get_task: Effect.fn("get_task")(function* ({ id }) {
        const task = yield* board.get(id)
        const read = { note: UNTRUSTED, task }
        return task.commentCount === undefined ? read : { ...read, comments: yield* board.comments(id) }
      }, explain),
      create_task: Effect.fn("create_task")(function* (input) {
        const mayStart = input.autoStart !== true || (yield* hasRight("run"))
        if (!mayStart || !(yield* hasRight("write"))) return yield* propose("create", input)
        return applied(yield* board.create({ ...(yield* ofRun(input)), createdBy: yield* actor }))
      }, explain),
      update_task: Effect.fn("update_task")(function* ({ id, version, ...changes }) {
        if (yield* mayChange(id, version, changes))
          return applied(yield* asCaller(board.patch(id, { version, ...(yield* ofRun(changes)) })))
        return yield* propose("update", { id, ...changes })
      }, explain),
      move_task: Effect.fn("move_task")(function* ({ id, version, status, position = LAST }) {
        if (yield* mayChange(id, version, { status }))
          return applied(yield* asCaller(board.reorder(id, { version, targetStatus: status, targetIndex: position })))
        return yield* propose("update", { id, status })
      }, explain),
      claim_task: Effect.fn("claim_task")(function* ({ id, version }) {
        const me = yield* actor
        const task = yield* seen(id, version)
        if (task.status !== "backlog" && task.status !== "todo")
          return yield* Effect.fail(
            notPossible(
              task.status === "in-progress" && task.assignee === me
                ? "You have this task already: work on it, then call complete_task."
                : `The task is in ${task.status}${task.assignee === undefined ? "" : `, assigned to ${task.assignee}`}. Choose another one.`,
              task
            )
          )
        const held = (task.waitsFor ?? []).filter(holdsPerson)
        if (held.length > 0)
          return yield* Effect.fail(
            notPossible(
              `The task can't begin yet: ${held.map(({ details }) => details).join(", ")}. Choose another one.`,
              task
            )
          )
        return applied(yield* asCaller(board.patch(id, { version, status: "in-progress", assignee: me })))
      }, explain),
      complete_task: Effect.fn("complete_task")(function* ({ id, version, result }) {
        const task = yield* seen(id, version)
        if (task.status !== "in-progress")
          return yield* Effect.fail(
            notPossible(`The task is in ${task.status}. Claim a task with claim_task before you complete it.`, task)
          )
        const holder = holderOf(task, yield* Caller)
        if (holder !== undefined) return yield* Effect.fail(heldByAnother(task, holder))
        if (activeRun(task) !== undefined) return applied(yield* board.completeSeen(id, version, result))
        const { reviewRequired } = yield* board.config
        const status = reviewRequired ? "review" : "done"
        return applied(yield* asCaller(board.patch(id, { version, status, result })))
      }, explain),
      comment_task: Effect.fn("comment_task")(function* ({ id, text }) {
        return { comment: yield* asCaller(board.comment(id, { text })) }
      }, explain),
      propose: Effect.fn("propose")(function* ({ create, update }) {
        if (create !== undefined && update === undefined) return yield* propose("create", create)
        if (update !== undefined && create === undefined) return yield* propose("update", update)
        return yield* Effect.fail({ error: "invalid" as const, help: "Give either create or update." })
      }, explain)
    })
  })
)
