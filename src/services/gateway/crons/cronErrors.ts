import { Schema } from "effect"
import { failureFields } from "../../../contract/schema/failure.ts"

/** There is no job with this id. */
export class CronJobNotFound extends Schema.TaggedError<CronJobNotFound>()("CronJobNotFound", {
  id: Schema.String
}) {}

/** The gateway rejected the job's schedule; `message` names the field and what it must be. */
export class InvalidCronJob extends Schema.TaggedError<InvalidCronJob>()("InvalidCronJob", failureFields) {}

/** The job cannot be started because it runs. */
export class CronJobRunning extends Schema.TaggedError<CronJobRunning>()("CronJobRunning", {
  id: Schema.String
}) {}

/** The gateway takes only so many changes of jobs a minute, and had those. */
export class TooManyCronChanges extends Schema.TaggedError<TooManyCronChanges>()("TooManyCronChanges", {}) {}
