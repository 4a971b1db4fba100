import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerError, type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ReadyAnswer } from "../../../node/ReadyAnswer.ts"
import { canonicalPath, isApiPath } from "../../middleware/Exchange.ts"
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

/** The web app's files, and its index for every other path outside the API. */
export const StaticRoutes = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const files = yield* StaticFiles

    const serve = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const path = canonicalPath(request.url)
      const isApi = isApiPath(path)
      const name = isApi ? undefined : assetPath(path)
      const file = name === undefined ? undefined : yield* files.respond(name, request.headers)
      if (file !== undefined) return responseOf(file)
      if (isApi || isHashedAsset(path)) {
        return yield* new HttpServerError.HttpServerError({ reason: new HttpServerError.RouteNotFound({ request }) })
      }
      const index = yield* files.respond(INDEX, request.headers)
      return index === undefined ? notBuilt : responseOf(index)
    })

    yield* router.add("GET", "/*", serve)
  })
)
