import { Schema } from "effect"

/** There is no job with this id. */
export class CronJobNotFound extends Schema.TaggedError<CronJobNotFound>()("CronJobNotFound", {
  id: Schema.String
}) {}

/** The gateway found the job's schedule wrong; `details` names the field and what it must be. */
export class InvalidCronJob extends Schema.TaggedError<InvalidCronJob>()("InvalidCronJob", {
  details: Schema.String
}) {}
