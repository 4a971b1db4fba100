import { Schema } from "effect"
import { Proposal } from "./proposal.ts"
import { Task, TaskStatus } from "./task.ts"

/** No task has this id. */
export class TaskNotFound extends Schema.TaggedError<TaskNotFound>()("TaskNotFound", { id: Schema.String }) {}

/** No proposal has this id. */
export class ProposalNotFound extends Schema.TaggedError<ProposalNotFound>()("ProposalNotFound", {
  id: Schema.String
}) {}

/** The change was based on another version; `latest` is the current task. */
export class VersionConflict extends Schema.TaggedError<VersionConflict>()("VersionConflict", { latest: Task }) {}

/** The task's state doesn't allow this step; `details` says why if the two states don't. */
export class InvalidTransition extends Schema.TaggedError<InvalidTransition>()("InvalidTransition", {
  from: TaskStatus,
  to: TaskStatus,
  details: Schema.optionalKey(Schema.String)
}) {}

/** The proposal was already approved or rejected. */
export class AlreadyResolved extends Schema.TaggedError<AlreadyResolved>()("AlreadyResolved", {
  proposal: Proposal
}) {}

/** A payload that doesn't fit its type; `details` is `<field>: <message>`. */
export class InvalidProposal extends Schema.TaggedError<InvalidProposal>()("InvalidProposal", {
  details: Schema.String
}) {}

/** An archive can't be imported; `message` says why. */
export class ArchiveRefused extends Schema.TaggedError<ArchiveRefused>()("ArchiveRefused", {
  message: Schema.String
}) {}
