import { Effect } from "effect"
import type { AgentToken } from "../../contract/schema/access.ts"
import type { Proposal } from "../../contract/schema/proposal.ts"
import type { Task } from "../../contract/schema/task.ts"
import { GATEWAY_TOKEN_NAME } from "../../services/access/agents/GatewayAgents.ts"
import { Board } from "../../services/board/Board.ts"
import { asAgent } from "../../services/board/BoardPerson.ts"
import { VersionConflict } from "../../services/board/boardErrors.ts"
import { activeRun } from "../../services/board/tasks/taskRules.ts"
import { BoardTools } from "./boardTools.ts"
import { Caller } from "./Caller.ts"
import { taskLine, UNTRUSTED } from "./taskView.ts"
import { explain, heldByAnother, notPossible } from "./toolFailure.ts"

const DEFAULT_TASKS = 20
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
 * Who has a task that is in progress, if it's somebody else than the caller. A run belongs to its agent, and to the
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

/** The board's tools; what they change stands on the board under the agent's name. */
export const BoardToolHandlers = BoardTools.toLayer(
  Effect.gen(function* () {
    const board = yield* Board

    const actor = Effect.map(Caller, ({ name }) => `agent:${name}`)
    /** Carries it out in the agent's name, not in that of the person whose console this is. */
    const asCaller = <A, E, R>(change: Effect.Effect<A, E, R>) => Effect.flatMap(actor, (name) => asAgent(name)(change))
    const mayWrite = Effect.map(Caller, ({ rights }) => rights.includes("write"))

    const propose = (type: "create" | "update", payload: Readonly<Record<string, unknown>>) =>
      Effect.gen(function* () {
        return proposed(yield* board.propose({ type, payload, proposedBy: yield* actor }))
      })

    /** The task, if this is still the version the agent has read. */
    const seen = Effect.fnUntraced(function* (id: string, version: number) {
      const task = yield* board.get(id)
      return task.version === version ? task : yield* new VersionConflict({ latest: task })
    })

    return BoardTools.of({
      list_tasks: ({ status = [], priority = [], assignee, label, text, limit = DEFAULT_TASKS, offset = 0 }) =>
        board
          .list({
            statuses: status,
            priorities: priority,
            ...(assignee === undefined ? {} : { assignee }),
            ...(label === undefined ? {} : { label }),
            ...(text === undefined ? {} : { q: text }),
            limit,
            offset
          })
          .pipe(
            Effect.map(({ items, total, hasMore }) => ({
              note: UNTRUSTED,
              tasks: items.map(taskLine),
              total,
              hasMore
            })),
            explain
          ),
      get_task: Effect.fn("get_task")(function* ({ id }) {
        const task = yield* board.get(id)
        const read = { note: UNTRUSTED, task }
        return task.commentCount === undefined ? read : { ...read, comments: yield* board.comments(id) }
      }, explain),
      create_task: Effect.fn("create_task")(function* (input) {
        if (!(yield* mayWrite)) return yield* propose("create", input)
        return applied(yield* board.create({ ...input, createdBy: yield* actor }))
      }, explain),
      update_task: Effect.fn("update_task")(function* ({ id, version, ...changes }) {
        if (yield* mayWrite) return applied(yield* asCaller(board.patch(id, { version, ...changes })))
        yield* seen(id, version)
        return yield* propose("update", { id, ...changes })
      }, explain),
      move_task: Effect.fn("move_task")(function* ({ id, version, status, position = LAST }) {
        if (yield* mayWrite)
          return applied(yield* asCaller(board.reorder(id, { version, targetStatus: status, targetIndex: position })))
        yield* seen(id, version)
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
