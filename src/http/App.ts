import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "./Api.ts"
import { BoardHandlers } from "./board/BoardHandlers.ts"
import { errors } from "./middleware/errors.ts"
import { ProxyRoute } from "./proxy/ProxyRoute.ts"
import { SystemHandlers } from "./system/SystemHandlers.ts"

const ApiRoutes = HttpApiBuilder.layer(Api, { openapiPath: "/api/openapi.json" }).pipe(
  Layer.provide([SystemHandlers, BoardHandlers])
)

/** Every route behind every middleware. The middleware run in the order of this list, the first outermost. */
export const App = Layer.mergeAll(ApiRoutes, ProxyRoute).pipe(Layer.provideMerge(Layer.mergeAll(errors)))
