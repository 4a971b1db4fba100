import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { failure } from "../../../contract/failures.ts"
import { done } from "../../../contract/schema/fields.ts"
import {
  CronJobList,
  CronRunList,
  EndedCronRun,
  OngoingCronRun,
  StoredCronJob
} from "../../../contract/schema/gateway.ts"
import {
  CronJobInput,
  CronJobNotFound,
  CronJobPatch,
  CronJobRunning,
  InvalidCronJob,
  TooManyCronChanges
} from "../../../services/gateway/crons/cronSchemas.ts"
import { errorBody } from "../../errorBody.ts"
import { Right, rights } from "../../Right.ts"
import { GatewayFailure, gatewayQuery as query, UnknownGatewayError } from "../../serviceErrors.ts"

const params = { id: Schema.String }

const NotFound = errorBody(CronJobNotFound, {
  code: "not_found",
  status: 404,
  details: () => failure("CRON_JOB_UNKNOWN")
})
const Invalid = errorBody(InvalidCronJob, {
  code: "validation_error",
  status: 400,
  details: (refused) => refused
})

const Running = errorBody(CronJobRunning, {
  code: "conflict",
  status: 409,
  details: () => failure("JOB_RUNNING")
})
const TooMany = errorBody(TooManyCronChanges, {
  code: "rate_limited",
  status: 429,
  details: () => failure("TOO_MANY_JOB_CHANGES")
})

/** The gateway's scheduled jobs. */
export class CronsApi extends HttpApiGroup.make("crons")
  .add(
    HttpApiEndpoint.get("list", "/api/crons", {
      query,
      success: CronJobList,
      error: [UnknownGatewayError, GatewayFailure]
    }).annotate(OpenApi.Summary, "List all jobs, including disabled ones"),
    HttpApiEndpoint.post("create", "/api/crons", {
      query,
      payload: Schema.Struct({ job: CronJobInput }),
      success: StoredCronJob,
      error: [Invalid, TooMany, UnknownGatewayError, GatewayFailure]
    }).annotate(OpenApi.Summary, "Create a job from a schedule, prompt and channel, or from the gateway's own fields"),
    HttpApiEndpoint.patch("patch", "/api/crons/:id", {
      query,
      params,
      payload: Schema.Struct({ patch: CronJobPatch }),
      success: StoredCronJob,
      error: [Invalid, NotFound, TooMany, UnknownGatewayError, GatewayFailure]
    }).annotate(OpenApi.Summary, "Change a job"),
    HttpApiEndpoint.delete("remove", "/api/crons/:id", {
      query,
      params,
      success: Schema.Struct({ ...done, id: Schema.String }),
      error: [NotFound, TooMany, UnknownGatewayError, GatewayFailure]
    }).annotate(OpenApi.Summary, "Delete a job"),
    HttpApiEndpoint.post("toggle", "/api/crons/:id/toggle", {
      query,
      params,
      payload: Schema.Struct({ enabled: Schema.Boolean }),
      success: StoredCronJob,
      error: [Invalid, NotFound, TooMany, UnknownGatewayError, GatewayFailure]
    }).annotate(OpenApi.Summary, "Turn a job on or off"),
    HttpApiEndpoint.post("run", "/api/crons/:id/run", {
      query,
      params,
      success: [OngoingCronRun.pipe(HttpApiSchema.status(202)), EndedCronRun],
      error: [NotFound, Running, TooMany, UnknownGatewayError, GatewayFailure]
    }).annotate(OpenApi.Summary, "Run a job now and wait up to 60 seconds for it to finish; 202 if it's still running"),
    HttpApiEndpoint.get("runs", "/api/crons/:id/runs", {
      query,
      params,
      success: CronRunList,
      error: [NotFound, UnknownGatewayError, GatewayFailure]
    }).annotate(OpenApi.Summary, "List a job's last 10 runs, newest first")
  )
  .annotate(Right, rights("read", "manage"))
  .annotate(OpenApi.Title, "Cron jobs") {}
