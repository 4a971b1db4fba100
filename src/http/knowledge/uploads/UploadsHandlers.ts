import { Effect, Stream } from "effect"
import { Uploads } from "../../../services/knowledge/uploads/Uploads.ts"
import { FileRefused } from "../../../services/platform/storage/fileErrors.ts"
import { routeHandlers } from "../../routeHandlers.ts"

const ok = true as const

const brokenOff = new FileRefused({ message: "file: it broke off before all of it had arrived" })

export const UploadsHandlers = routeHandlers(
  "uploads",
  Effect.fn(function* (handlers) {
    const uploads = yield* Uploads
    return handlers.handleAll({
      add: ({ query: { name, ...owner }, payload }) =>
        uploads
          .add(
            owner,
            name,
            Stream.catchCause(payload, () => Stream.fail(brokenOff))
          )
          .pipe(Effect.map((made) => ({ ok, ...made })))
    })
  })
)
