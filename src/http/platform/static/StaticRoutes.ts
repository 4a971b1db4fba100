import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerError, type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ReadyAnswer } from "../../../node/ReadyAnswer.ts"
import { errorResponse } from "../../apiResponse.ts"
import { isApiPath } from "../../middleware/Exchange.ts"
import { marked, OWN_ACCESS } from "../../RouteMark.ts"
import { assetPath, isHashedAsset } from "./assetPath.ts"
import { INDEX, StaticFiles } from "./StaticFiles.ts"

// One response object per file, so that its headers are completed only once.
const responses = new WeakMap<ReadyAnswer, HttpServerResponse.HttpServerResponse>()

const responseOf = (answer: ReadyAnswer): HttpServerResponse.HttpServerResponse => {
  const known = responses.get(answer)
  if (known !== undefined) return known
  const { status, headers, body } = answer
  const response =
    body === undefined
      ? HttpServerResponse.empty({ status, headers })
      : HttpServerResponse.uint8Array(typeof body === "string" ? Buffer.from(body) : body, { status, headers })
  responses.set(answer, response)
  return response
}

const notBuilt = HttpServerResponse.text(
  "The web app hasn't been built yet. Run `npm run build` in the console's folder, then reload this page.\n",
  { status: 503 }
)

const missingAsset = errorResponse(404, "not_found")

/** The web app's files, and its index for every other path outside the API. */
export const StaticRoutes = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const files = yield* StaticFiles

    const serve = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      // The rest of the path as the router decoded it.
      const rest = (yield* HttpRouter.params)["*"] ?? ""
      const path = `/${rest}`
      if (isApiPath(path)) {
        return yield* new HttpServerError.HttpServerError({ reason: new HttpServerError.RouteNotFound({ request }) })
      }
      const name = assetPath(path)
      const file = name === undefined ? undefined : yield* files.respond(name, request.headers)
      if (file !== undefined) return responseOf(file)
      if (isHashedAsset(path)) return missingAsset
      const index = yield* files.respond(INDEX, request.headers)
      return index === undefined ? notBuilt : responseOf(index)
    })

    yield* router.add("GET", "/*", serve).pipe(marked(OWN_ACCESS))
  })
)
