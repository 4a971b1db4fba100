import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { DoctorCheck } from "../../services/doctor/doctorCheck.ts"

/** What the console needs and how it stands, for the first-run checklist. */
export class DoctorApi extends HttpApiGroup.make("doctor")
  .add(
    HttpApiEndpoint.get("examine", "/api/doctor", {
      success: Schema.Struct({ checks: Schema.Array(DoctorCheck) })
    }).annotate(
      OpenApi.Summary,
      "Node, gateway, token, device approval, folders, port, sign-in, certificate and tools, each with what to do; takes up to 10 seconds"
    )
  )
  .annotate(OpenApi.Title, "Doctor") {}
