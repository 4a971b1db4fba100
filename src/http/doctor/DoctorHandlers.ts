import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Doctor } from "../../services/doctor/Doctor.ts"
import { Api } from "../Api.ts"

export const DoctorHandlers = HttpApiBuilder.group(
  Api,
  "doctor",
  Effect.fn(function* (handlers) {
    const doctor = yield* Doctor
    return handlers.handleAll({ examine: () => Effect.map(doctor.examine, (checks) => ({ checks })) })
  })
)
