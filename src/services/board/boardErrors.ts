import { Schema } from "effect"
import { failureFields } from "../../contract/schema/failure.ts"
import { Proposal } from "../../contract/schema/proposal.ts"
import { Routine } from "../../contract/schema/routine.ts"
import { Task, TaskStatus, WaitReason } from "../../contract/schema/task.ts"
import { TaskTemplate } from "../../contract/schema/template.ts"

/** No task has this id. */
export class TaskNotFound extends Schema.TaggedError<TaskNotFound>()("TaskNotFound", { id: Schema.String }) {}

/** No proposal has this id. */
export class ProposalNotFound extends Schema.TaggedError<ProposalNotFound>()("ProposalNotFound", {
  id: Schema.String
}) {}

/** The change was based on another version; `latest` is the current task. */
export class VersionConflict extends Schema.TaggedError<VersionConflict>()("VersionConflict", { latest: Task }) {}

/** The task's state doesn't allow this step; `failure` says why if the two states don't. */
export class InvalidTransition extends Schema.TaggedError<InvalidTransition>()("InvalidTransition", {
  from: TaskStatus,
  to: TaskStatus,
  failure: Schema.optionalKey(Schema.Struct(failureFields))
}) {}

/** Links would lead from a card back to itself, along `path`. */
export class CycleFound extends Schema.TaggedError<CycleFound>()("CycleFound", {
  path: Schema.Array(Schema.String)
}) {}

/** A link to a card that isn't there, or to one too far down; `message` is `<field>: <message>`. */
export class InvalidLink extends Schema.TaggedError<InvalidLink>()("InvalidLink", failureFields) {}

/** The card can't start now. */
export class StartBlocked extends Schema.TaggedError<StartBlocked>()("StartBlocked", {
  waitsFor: Schema.Array(WaitReason)
}) {}

/** The proposal was already approved or rejected. */
export class AlreadyResolved extends Schema.TaggedError<AlreadyResolved>()("AlreadyResolved", {
  proposal: Proposal
}) {}

/** The task has no comment with this id. */
export class CommentNotFound extends Schema.TaggedError<CommentNotFound>()("CommentNotFound", { id: Schema.String }) {}

/** The task keeps no more comments than this. */
export class TooManyComments extends Schema.TaggedError<TooManyComments>()("TooManyComments", { max: Schema.Int }) {}

/** No saved view has this id. */
export class ViewNotFound extends Schema.TaggedError<ViewNotFound>()("ViewNotFound", { id: Schema.String }) {}

/** The board keeps no more views than this. */
export class TooManyViews extends Schema.TaggedError<TooManyViews>()("TooManyViews", { max: Schema.Int }) {}

/** No routine has this id. */
export class RoutineNotFound extends Schema.TaggedError<RoutineNotFound>()("RoutineNotFound", { id: Schema.String }) {}

/** The change was based on another version. */
export class RoutineConflict extends Schema.TaggedError<RoutineConflict>()("RoutineConflict", { latest: Routine }) {}

/** The board keeps no more routines than this. */
export class TooManyRoutines extends Schema.TaggedError<TooManyRoutines>()("TooManyRoutines", { max: Schema.Int }) {}

/** No template has this id. */
export class TemplateNotFound extends Schema.TaggedError<TemplateNotFound>()("TemplateNotFound", {
  id: Schema.String
}) {}

/** The change was based on another version. */
export class TemplateConflict extends Schema.TaggedError<TemplateConflict>()("TemplateConflict", {
  latest: TaskTemplate
}) {}

/** The board keeps no more templates than this. */
export class TooManyTemplates extends Schema.TaggedError<TooManyTemplates>()("TooManyTemplates", {
  max: Schema.Int
}) {}

/** Neither the template nor the request has a title. */
export class TitleMissing extends Schema.TaggedError<TitleMissing>()("TitleMissing", {}) {}

/** A payload that doesn't fit its type; `message` is `<field>: <message>`. */
export class InvalidProposal extends Schema.TaggedError<InvalidProposal>()("InvalidProposal", failureFields) {}

/** An archive can't be imported; `message` says why. */
export class ArchiveRefused extends Schema.TaggedError<ArchiveRefused>()("ArchiveRefused", {
  message: Schema.String
}) {}
