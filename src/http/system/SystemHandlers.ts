import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { packageInfo } from "../../services/version/packageInfo.ts"
import { Api } from "../Api.ts"

export const SystemHandlers = HttpApiBuilder.group(Api, "system", (handlers) =>
  handlers.handleAll({
    version: () => Effect.succeed({ version: packageInfo.version, name: packageInfo.name })
  })
)
