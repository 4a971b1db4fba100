import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { failure } from "../../../contract/failures.ts"
import {
  CronJob,
  CronJobInput,
  CronJobNotFound,
  CronJobPatch,
  CronJobRunning,
  CronRun,
  InvalidCronJob,
  TooManyCronChanges,
  UnfinishedRun
} from "../../../services/gateway/crons/cronSchemas.ts"
import { errorBody } from "../../errorBody.ts"
import { GatewayFailure, gatewayQuery as query, UnknownGatewayError } from "../../serviceErrors.ts"

const Ok = Schema.Struct({ ok: Schema.Literal(true) })
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

const StoredJob = Schema.StructWithRest(Schema.Struct({ ...Ok.fields, ...CronJob.schema.fields }), CronJob.records)
const EndedRun = Schema.StructWithRest(Schema.Struct({ ...Ok.fields, ...CronRun.schema.fields }), CronRun.records)
const GoesOn = Schema.Struct({ ...Ok.fields, ...UnfinishedRun.fields }).pipe(HttpApiSchema.status(202))

/** The gateway's scheduled jobs. */
export class CronsApi extends HttpApiGroup.make("crons")
  .add(
    HttpApiEndpoint.get("list", "/api/crons", {
      query,
      success: Schema.Struct({ ...Ok.fields, result: Schema.Struct({ jobs: Schema.Array(CronJob) }) }),
      error: [UnknownGatewayError, GatewayFailure]
    }).annotate(OpenApi.Summary, "List all jobs, including disabled ones"),
    HttpApiEndpoint.post("create", "/api/crons", {
      query,
      payload: Schema.Struct({ job: CronJobInput }),
      success: StoredJob,
      error: [Invalid, TooMany, UnknownGatewayError, GatewayFailure]
    }).annotate(OpenApi.Summary, "Create a job from a schedule, prompt and channel, or from the gateway's own fields"),
    HttpApiEndpoint.patch("patch", "/api/crons/:id", {
      query,
      params,
      payload: Schema.Struct({ patch: CronJobPatch }),
      success: StoredJob,
      error: [Invalid, NotFound, TooMany, UnknownGatewayError, GatewayFailure]
    }).annotate(OpenApi.Summary, "Change a job"),
    HttpApiEndpoint.delete("remove", "/api/crons/:id", {
      query,
      params,
      success: Schema.Struct({ ...Ok.fields, id: Schema.String }),
      error: [NotFound, TooMany, UnknownGatewayError, GatewayFailure]
    }).annotate(OpenApi.Summary, "Delete a job"),
    HttpApiEndpoint.post("toggle", "/api/crons/:id/toggle", {
      query,
      params,
      payload: Schema.Struct({ enabled: Schema.Boolean }),
      success: StoredJob,
      error: [Invalid, NotFound, TooMany, UnknownGatewayError, GatewayFailure]
    }).annotate(OpenApi.Summary, "Turn a job on or off"),
    HttpApiEndpoint.post("run", "/api/crons/:id/run", {
      query,
      params,
      success: [GoesOn, EndedRun],
      error: [NotFound, Running, TooMany, UnknownGatewayError, GatewayFailure]
    }).annotate(OpenApi.Summary, "Run a job now and wait up to 60 seconds for it to finish; 202 if it's still running"),
    HttpApiEndpoint.get("runs", "/api/crons/:id/runs", {
      query,
      params,
      success: Schema.Struct({ ...Ok.fields, result: Schema.Struct({ entries: Schema.Array(CronRun) }) }),
      error: [NotFound, UnknownGatewayError, GatewayFailure]
    }).annotate(OpenApi.Summary, "List a job's last 10 runs, newest first")
  )
  .annotate(OpenApi.Title, "Cron jobs") {}
