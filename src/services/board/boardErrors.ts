import { Schema } from "effect"
import { Proposal } from "./proposal.ts"
import { Task, TaskStatus } from "./task.ts"

/** No task has this id. */
export class TaskNotFound extends Schema.TaggedError<TaskNotFound>()("TaskNotFound", { id: Schema.String }) {}

/** No proposal has this id. */
export class ProposalNotFound extends Schema.TaggedError<ProposalNotFound>()("ProposalNotFound", {
  id: Schema.String
}) {}

/** The change was made for another version; `latest` is the task as it stands (SPEC "Errors"). */
export class VersionConflict extends Schema.TaggedError<VersionConflict>()("VersionConflict", { latest: Task }) {}

/** The task's state does not allow this step; `details` says why where the two states do not. */
export class InvalidTransition extends Schema.TaggedError<InvalidTransition>()("InvalidTransition", {
  from: TaskStatus,
  to: TaskStatus,
  details: Schema.optionalKey(Schema.String)
}) {}

/** The proposal was approved or rejected before. */
export class AlreadyResolved extends Schema.TaggedError<AlreadyResolved>()("AlreadyResolved", {
  proposal: Proposal
}) {}

/** A payload that does not fit its type; `details` is `<field>: <message>` (D10). */
export class InvalidProposal extends Schema.TaggedError<InvalidProposal>()("InvalidProposal", {
  details: Schema.String
}) {}

/** An archive that is not imported; `message` says why, for people. */
export class ArchiveRefused extends Schema.TaggedError<ArchiveRefused>()("ArchiveRefused", {
  message: Schema.String
}) {}
