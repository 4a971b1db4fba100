import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerError, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { canonicalPath, isApiPath } from "../middleware/Exchange.ts"
import { assetPath, isHashedAsset } from "./assetPath.ts"
import { StaticFiles } from "./StaticFiles.ts"

const INDEX = "index.html"

const notBuilt = HttpServerResponse.text(
  "The web app is not built yet. Run `npm run build` where the console is installed, then reload this page.\n",
  { status: 503 }
)

/** The web app's files, and its index for every other path that is not the API's (SPEC "Static files", D16). */
export const StaticRoutes = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const files = yield* StaticFiles

    const serve = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const path = canonicalPath(request.url)
      const isApi = isApiPath(path)
      const name = isApi ? undefined : assetPath(path)
      const file = name === undefined ? undefined : yield* files.respond(name, request.headers)
      if (file !== undefined) return file
      if (isApi || isHashedAsset(path)) {
        return yield* new HttpServerError.HttpServerError({ reason: new HttpServerError.RouteNotFound({ request }) })
      }
      return (yield* files.respond(INDEX, request.headers)) ?? notBuilt
    })

    yield* router.add("GET", "/*", serve)
  })
)
