import { Effect } from "effect"
import { Doctor } from "../../../services/machine/doctor/Doctor.ts"
import { routeHandlers } from "../../routeHandlers.ts"

export const DoctorHandlers = routeHandlers(
  "doctor",
  Effect.fn(function* (handlers) {
    const doctor = yield* Doctor
    return handlers.handleAll({ examine: () => Effect.map(doctor.examine, (checks) => ({ checks })) })
  })
)
