import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CronJobNotFound, InvalidCronJob } from "../../services/crons/cronErrors.ts"
import { CronJob, CronJobInput, CronJobPatch, CronRun } from "../../services/crons/cronSchemas.ts"
import { errorBody } from "../errorBody.ts"
import { GatewayFailure } from "../gatewayErrors.ts"

const Ok = Schema.Struct({ ok: Schema.Literal(true) })
const params = { id: Schema.String }

const NotFound = errorBody(CronJobNotFound, {
  code: "not_found",
  status: 404,
  details: () => "The gateway has no such cron job."
})
const Invalid = errorBody(InvalidCronJob, {
  code: "validation_error",
  status: 400,
  details: ({ details }) => details
})

const StoredJob = Schema.StructWithRest(Schema.Struct({ ...Ok.fields, ...CronJob.schema.fields }), CronJob.records)
const EndedRun = Schema.StructWithRest(Schema.Struct({ ...Ok.fields, ...CronRun.schema.fields }), CronRun.records)

/** The gateway's scheduled jobs (SPEC "Cron jobs"). */
export class CronsApi extends HttpApiGroup.make("crons")
  .add(
    HttpApiEndpoint.get("list", "/api/crons", {
      success: Schema.Struct({ ...Ok.fields, result: Schema.Struct({ jobs: Schema.Array(CronJob) }) }),
      error: GatewayFailure
    }).annotate(OpenApi.Summary, "Every job, disabled ones included"),
    HttpApiEndpoint.post("create", "/api/crons", {
      payload: Schema.Struct({ job: CronJobInput }),
      success: StoredJob,
      error: [Invalid, GatewayFailure]
    }).annotate(OpenApi.Summary, "Create a job from schedule, prompt and channel, or from the gateway's own fields"),
    HttpApiEndpoint.patch("patch", "/api/crons/:id", {
      params,
      payload: Schema.Struct({ patch: CronJobPatch }),
      success: StoredJob,
      error: [Invalid, NotFound, GatewayFailure]
    }).annotate(OpenApi.Summary, "Change a job"),
    HttpApiEndpoint.delete("remove", "/api/crons/:id", {
      params,
      success: Schema.Struct({ ...Ok.fields, id: Schema.String }),
      error: [NotFound, GatewayFailure]
    }).annotate(OpenApi.Summary, "Delete a job"),
    HttpApiEndpoint.post("toggle", "/api/crons/:id/toggle", {
      params,
      payload: Schema.Struct({ enabled: Schema.Boolean }),
      success: StoredJob,
      error: [Invalid, NotFound, GatewayFailure]
    }).annotate(OpenApi.Summary, "Switch a job on or off"),
    HttpApiEndpoint.post("run", "/api/crons/:id/run", {
      params,
      success: EndedRun,
      error: [NotFound, GatewayFailure]
    }).annotate(OpenApi.Summary, "Run a job at once and wait for its end, at most 60 seconds"),
    HttpApiEndpoint.get("runs", "/api/crons/:id/runs", {
      params,
      success: Schema.Struct({ ...Ok.fields, result: Schema.Struct({ entries: Schema.Array(CronRun) }) }),
      error: [NotFound, GatewayFailure]
    }).annotate(OpenApi.Summary, "The last 10 runs of a job, newest first")
  )
  .annotate(OpenApi.Title, "Cron jobs") {}
