import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { DoctorCheck } from "../../../services/machine/doctor/doctorCheck.ts"

/** Checks of what the console needs, for the first-run checklist. */
export class DoctorApi extends HttpApiGroup.make("doctor")
  .add(
    HttpApiEndpoint.get("examine", "/api/doctor", {
      success: Schema.Struct({ checks: Schema.Array(DoctorCheck) })
    }).annotate(
      OpenApi.Summary,
      "Check Node, gateway, token, device approval, folders, port, sign-in, certificate and tools, with fixes; takes up to 10 seconds"
    )
  )
  .annotate(OpenApi.Title, "Doctor") {}
