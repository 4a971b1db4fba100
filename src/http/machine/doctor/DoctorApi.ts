import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { DoctorReport } from "../../../contract/schema/machine.ts"
import { Mark, mark } from "../../RouteMark.ts"

/** Checks of what the console needs, for the first-run checklist. */
export class DoctorApi extends HttpApiGroup.make("doctor")
  .add(
    HttpApiEndpoint.get("examine", "/api/doctor", {
      success: DoctorReport
    })
      .annotate(
        OpenApi.Summary,
        "Check Node, settings, gateway, token, device approval, folders, port, sign-in, certificate and tools, with fixes; takes up to 10 seconds"
      )
      .annotate(Mark, mark({ access: "command" }))
  )
  .annotate(OpenApi.Title, "Doctor") {}
