import { Effect, Layer, Schema } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { LocalAccess } from "../../../services/access/local/LocalAccess.ts"
import { SECRET_HEADER } from "../../../services/access/local/readAccess.ts"
import { Backups } from "../../../services/machine/backup/Backups.ts"
import { errorResponse } from "../../apiResponse.ts"
import { authenticationRequired } from "../../middleware/authentication.ts"
import { marked } from "../../RouteMark.ts"

const Wanted = Schema.fromJsonString(Schema.Struct({ withoutSecrets: Schema.Boolean, gatewayHome: Schema.Boolean }))
const decodeWanted = Schema.decodeUnknownEffect(Wanted)

/**
 * `POST /api/backup` sends a backup to a command on this machine. It holds the console's keys, so no session opens it: only
 * the secret in the console's folder, from which a command could copy the same.
 */
export const BackupRoute = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const backups = yield* Backups
    const local = yield* LocalAccess
    const handle = Effect.fnUntraced(
      function* (request: HttpServerRequest.HttpServerRequest) {
        const secret = request.headers[SECRET_HEADER]
        if (secret === undefined || !local.isRight(secret)) return authenticationRequired()
        const wanted = yield* decodeWanted(yield* request.text)
        const bytes = yield* backups.archive(wanted)
        return HttpServerResponse.stream(bytes, {
          contentType: "application/gzip",
          headers: { "content-encoding": "identity" }
        })
      },
      Effect.catchTags({
        BackupFailure: ({ message }) => Effect.succeed(errorResponse(500, "backup_failed", message)),
        SchemaError: () =>
          Effect.succeed(
            errorResponse(400, "validation_error", "body: say whether withoutSecrets and gatewayHome are true or false")
          )
      })
    )
    yield* router.add("POST", "/api/backup", handle).pipe(marked({ access: "own" }))
  })
)
