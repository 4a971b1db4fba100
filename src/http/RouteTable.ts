import { Context, Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"

/** The methods of each path with a route, for the `Allow` header of a 405. */
export class RouteTable extends Context.Service<
  RouteTable,
  {
    readonly add: (method: string, pattern: string) => void
    /** Methods with a route for this path, in alphabetical order; none for an unknown path. */
    readonly methodsOf: (path: string) => ReadonlyArray<string>
  }
>()("agent-console/http/RouteTable") {
  static readonly layer = Layer.sync(RouteTable, () => {
    const routes: Array<{ readonly method: string; readonly segments: ReadonlyArray<string> }> = []
    return RouteTable.of({
      add: (method, pattern) => routes.push({ method, segments: pattern.split("/") }),
      methodsOf: (path) => {
        const segments = path.split("/")
        const methods = new Set(routes.flatMap((route) => (matches(route.segments, segments) ? [route.method] : [])))
        if (methods.has("GET")) methods.add("HEAD")
        if (methods.size > 0) methods.add("OPTIONS")
        return [...methods].sort()
      }
    })
  })
}

// The one wildcard, `/*`, serves the web app: everything but the API.
const matches = (pattern: ReadonlyArray<string>, path: ReadonlyArray<string>): boolean =>
  pattern[1] === "*"
    ? path[1] !== "api"
    : pattern.length === path.length &&
      pattern.every((segment, index) => (segment.startsWith(":") ? path[index] !== "" : segment === path[index]))

/** The application's router, which records every added route in the table. */
export const RecordedRouter = Layer.effect(
  HttpRouter.HttpRouter,
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const table = yield* RouteTable
    const add: HttpRouter.HttpRouter["add"] = (method, path, handler, options) => {
      table.add(method, path)
      return router.add(method, path, handler, options)
    }
    const addAll: HttpRouter.HttpRouter["addAll"] = (routes) => {
      for (const route of routes) table.add(route.method, route.path)
      return router.addAll(routes)
    }
    return HttpRouter.HttpRouter.of({ ...router, add, addAll })
  })
)
