import { Effect, Schema } from "effect"
import { Task } from "../../contract/schema/task.ts"
import type {
  CycleFound,
  InvalidLink,
  InvalidProposal,
  InvalidTransition,
  TaskNotFound,
  TooManyComments,
  VersionConflict
} from "../../services/board/boardErrors.ts"
import { MOST_WAITING } from "../../services/inbox/agentQuestions.ts"
import type { ItemNotFound, TooManyQuestions } from "../../services/inbox/inboxRules.ts"
import type { StoreError } from "../../services/platform/sqlite/Sqlite.ts"
import type { InvalidSearch, SearchUnavailable, UnknownSearchGateway } from "../../services/search/searchErrors.ts"

/** The reason why a tool failed and what the agent can do next; a conflict contains the latest task. */
export const ToolFailure = Schema.Struct({
  error: Schema.Literals([
    "not_found",
    "version_conflict",
    "not_possible",
    "invalid",
    "too_many_questions",
    "store_failure"
  ]),
  // Not `message`: of a failure that has one, the client is sent nothing else.
  help: Schema.String,
  latest: Schema.optionalKey(Task)
})
export type ToolFailure = typeof ToolFailure.Type

type Known =
  | CycleFound
  | InvalidLink
  | TaskNotFound
  | VersionConflict
  | InvalidTransition
  | InvalidProposal
  | ItemNotFound
  | TooManyQuestions
  | TooManyComments
  | StoreError
  | InvalidSearch
  | UnknownSearchGateway
  | SearchUnavailable

export const conflict = (latest: Task): ToolFailure => ({
  error: "version_conflict",
  help: `The task has changed: its version is ${latest.version} now. Look at latest, decide whether your change still fits, and send it with that version.`,
  latest
})

/** Somebody else works on the task. */
export const heldByAnother = (latest: Task, holder: string): ToolFailure => ({
  error: "version_conflict",
  help: `${holder} has this task and works on it. Choose another one, or say what you know with comment_task.`,
  latest
})

export const notPossible = (help: string, latest?: Task): ToolFailure => ({
  error: "not_possible",
  help,
  ...(latest === undefined ? {} : { latest })
})

const explained = (failure: Known): ToolFailure => {
  switch (failure._tag) {
    case "TaskNotFound":
      return { error: "not_found", help: "There is no task with this id. Use list_tasks to find the right one." }
    case "ItemNotFound":
      return { error: "not_found", help: "There is no question with this id, or another agent asked it." }
    case "VersionConflict":
      return conflict(failure.latest)
    case "InvalidTransition":
      return notPossible(
        `A task in ${failure.from} can't go to ${failure.to}${failure.failure === undefined ? "" : `: ${failure.failure.message}`}. Read it again with get_task.`
      )
    case "CycleFound":
      return {
        error: "invalid",
        help: `These cards would wait for each other in a circle, or be parts of each other: ${failure.path.join(", ")}. Nothing was changed.`
      }
    case "InvalidLink":
    case "InvalidProposal":
      return { error: "invalid", help: `${failure.message}. Correct it and call the tool again.` }
    case "TooManyQuestions":
      return {
        error: "too_many_questions",
        help: `${MOST_WAITING} of your questions wait for an answer. Go on with other work, and ask again when some are answered.`
      }
    case "TooManyComments":
      return notPossible(`The task has ${failure.max} comments and keeps no more.`)
    case "InvalidSearch":
      return { error: "invalid", help: `${failure.message}.` }
    case "UnknownSearchGateway":
      return { error: "not_found", help: "There is no such gateway." }
    case "SearchUnavailable":
      return { error: "store_failure", help: `${failure.message}. Try again later.` }
    case "StoreError":
      return { error: "store_failure", help: `${failure.message}. Nothing was changed; try again later.` }
  }
}

/** Turns what the services say into what an agent can act on. */
export const explain = <A, E extends Known | ToolFailure, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, ToolFailure, R> =>
  Effect.mapError(effect, (failure): ToolFailure => ("_tag" in failure ? explained(failure) : failure))
