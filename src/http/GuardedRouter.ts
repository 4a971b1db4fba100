import { Context, Effect, Function, Layer } from "effect"
import { HttpRouter, type HttpServerResponse } from "effect/http"
import { contractMarks } from "./contractMarks.ts"
import { Visit } from "./middleware/Visit.ts"
import { OPEN_ROUTES, OWN_ROUTES } from "./openRoutes.ts"
import { Mark, type RouteMark } from "./RouteMark.ts"
import { RouteTable, type TableRow } from "./RouteTable.ts"

/**
 * One spelling per route: letter case, double and trailing slashes matter, so a check on a path can't be bypassed by
 * another spelling that the router would accept. Parameters are only ids and keys.
 */
export const ROUTER_CONFIG = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: false,
  maxParamLength: 512
} as const

/** What a request is counted under: the route with its parameters, however they were spelled. */
const placeOf = (pattern: string, params: Readonly<Record<string, string | undefined>>): string => {
  let place = pattern
  for (const name in params) place += ` ${params[name]}`
  return place
}

/**
 * The application's router. The mark of a route is looked at by the route that matched, not by a path that was read
 * before: two readings of one address can differ, and a route that nobody marked is closed.
 */
export const GuardedRouter = Layer.effect(
  HttpRouter.HttpRouter,
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const table = yield* RouteTable
    const marks = contractMarks()

    const guard =
      (row: TableRow) =>
      <E, R>(
        handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
      ): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> =>
        Effect.withFiber((fiber) => {
          const { params } = Context.getUnsafe(fiber.context, HttpRouter.RouteContext)
          const matched = { ...row, place: placeOf(row.pattern, params) }
          return Context.getUnsafe(fiber.context, Visit).enter(matched, handler)
        })

    /** A route's row in the table, by which it's guarded. */
    const enrol = (method: string, pattern: string, ownMark: RouteMark) => {
      const name = `${method} ${pattern}`
      const mark = marks.get(name) ?? ownMark
      if (mark.access === "open" && !OPEN_ROUTES.has(name)) throw new Error(`${name} is marked open, but isn't listed`)
      if (mark.access === "own" && !OWN_ROUTES.has(name)) throw new Error(`${name} is marked own, but isn't listed`)
      const row = { method, pattern, mark }
      table.add(row)
      return guard(row)
    }

    const add: HttpRouter.HttpRouter["add"] = (method, path, handler, options) =>
      Effect.flatMap(Mark, (mark) => {
        const route = HttpRouter.route(method, path, handler, options)
        return router.add(method, path, enrol(method, path, mark)(route.handler), options)
      })
    const addAll: HttpRouter.HttpRouter["addAll"] = (routes) =>
      Effect.flatMap(Mark, (mark) => {
        const guarded = routes.map((route) => ({
          ...route,
          handler: enrol(route.method, route.path, mark)(route.handler)
        }))
        return router.addAll(Function.cast<typeof guarded, typeof routes>(guarded))
      })
    const prefixed: HttpRouter.HttpRouter["prefixed"] = () => {
      throw new Error("routes below a prefix aren't guarded: add each with its whole path")
    }
    return HttpRouter.HttpRouter.of({ ...router, add, addAll, prefixed })
  })
)
