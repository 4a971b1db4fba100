import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerError, type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ReadyAnswer } from "../../../node/ReadyAnswer.ts"
import { errorResponse } from "../../apiResponse.ts"
import { isApiPath } from "../../middleware/RequestContext.ts"
import { marked, OWN_ACCESS } from "../../RouteMark.ts"
import { assetPath, INDEX, isHashedAsset, StaticFiles } from "./StaticFiles.ts"

/** Places where programs look for documents, and people never: nothing there but what exists. */
const MACHINE_PLACES = ["/.well-known", "/languages"] as const
/** The agents' endpoint is beside its path only. */
const MACHINES = [...MACHINE_PLACES, "/mcp"]

/** Where clients look for the sign-in or the stream of another kind of server by default. */
const OTHER_SERVERS = /^\/(?:authorize|token|register|revoke|introspect|oauth2?|sse|messages?)(?:\/|$)/

/** The page's screens, which have their addresses in `web/src/base/screens.ts`. */
const SCREEN = /^\/(?:(?:chat|inbox|board|knowledge|operations|search|settings)(?:\/.*)?)?$/

const FILE = /[^/]\.[a-z\d]{1,12}$/i

const isBelow = (place: string, path: string) => path === place || path.startsWith(`${place}/`)

/**
 * Whether the page's index may answer for a path that names no file. It's for people: their browsers say that they take
 * HTML, and a program that doesn't would take the page for the answer it asked for. `accept` is the request's header.
 */
export const mayBePage = (path: string, accept: string | undefined): boolean => {
  if (MACHINES.some((place) => isBelow(place, path)) || path.includes("/.well-known/")) return false
  if (SCREEN.test(path) || accept === undefined || /\btext\/html\b|\bapplication\/xhtml\+xml\b/i.test(accept))
    return true
  return /\*\/\*/.test(accept) && !OTHER_SERVERS.test(path) && !FILE.test(path)
}

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

const missing = errorResponse(404, "not_found")

/** The web app's files, and its index for the other addresses that people open. */
export const StaticRoutes = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const files = yield* StaticFiles

    const serve = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, place = "") {
      // The rest of the path as the router decoded it.
      const rest = (yield* HttpRouter.params)["*"] ?? ""
      const path = `${place}/${rest}`
      if (isApiPath(path)) {
        return yield* new HttpServerError.HttpServerError({ reason: new HttpServerError.RouteNotFound({ request }) })
      }
      const name = assetPath(path)
      const file = name === undefined ? undefined : yield* files.respond(name, request.headers)
      if (file !== undefined) return responseOf(file)
      if (isHashedAsset(path) || !mayBePage(path, request.headers.accept)) return missing
      const index = yield* files.respond(INDEX, request.headers)
      return index === undefined ? notBuilt : responseOf(index)
    })

    yield* router.add("GET", "/*", (request) => serve(request)).pipe(marked(OWN_ACCESS))
    // Programs get a 404 for any method here: they would take a 401 for a demand to sign in.
    for (const place of MACHINE_PLACES) {
      yield* router
        .add("*", `${place}/*`, (request) =>
          request.method === "GET" || request.method === "HEAD" ? serve(request, place) : Effect.succeed(missing)
        )
        .pipe(marked(OWN_ACCESS))
    }
  })
)
