import { Context, Effect, Function, Layer } from "effect"
import { HttpRouter, type HttpServerResponse } from "effect/http"
import type { Right as RightName } from "../contract/schema/live.ts"
import { Api } from "./Api.ts"
import { Visit } from "./middleware/RequestContext.ts"
import { Right, type RouteRight, rightOf } from "./Right.ts"
import { Mark, type RouteMark } from "./RouteMark.ts"
import { RouteTable, type TableRow } from "./RouteTable.ts"

/** What a route declares about its clients. */
interface Declared {
  readonly mark: RouteMark
  readonly right: RightName | undefined
}

const declaredBy = (mark: RouteMark, annotated: RouteRight, method: string): Declared => {
  const isClosed = mark.access === "session" || mark.access === "command"
  return { mark, right: rightOf(annotated, method) ?? (isClosed ? "own" : undefined) }
}

/** What the contract's endpoints declare, by method and path, as `GET /api/crons/:id`; an endpoint's own replaces its group's. */
export const contractMarks = (): ReadonlyMap<string, Declared> =>
  new Map(
    Object.values(Api.groups).flatMap((group) =>
      Object.values(group.endpoints).map(({ method, path, annotations }) => {
        const declared = Context.merge(group.annotations, annotations)
        return [
          `${method} ${path}`,
          declaredBy(Context.get(declared, Mark), Context.get(declared, Right), method)
        ] as const
      })
    )
  )

/** All routes that anybody may call while sign-in is on. A route marked open that isn't here keeps the console from starting. */
export const OPEN_ROUTES: ReadonlySet<string> = new Set([
  "GET /health",
  "GET /healthz",
  "GET /readyz",
  "GET /api/version",
  "GET /api/auth/status",
  "POST /api/auth/login",
  "POST /api/auth/logout"
])

/** All routes that decide for themselves whom they let in, and by what. */
export const OWN_ROUTES: ReadonlyMap<string, string> = new Map([
  ["GET /*", "anybody: the page's index and the app's files, which hold no data"],
  ["* /.well-known/*", "anybody: nothing is there"],
  ["* /languages/*", "anybody: the page's own texts, which hold no data"],
  ["GET /ws", "the page's origin, then its session"],
  ["GET /api/live", "the page's origin, then its session; without sign-in, this machine, or the gateways' tokens"],
  ["GET /metrics", "this machine, or a session"],
  ["POST /api/backup", "a command on this machine, by the secret in the console's folder"],
  ["GET /mcp", "an agent's token"],
  ["POST /mcp", "an agent's token"],
  ["DELETE /mcp", "an agent's token"]
])

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

/** What a route outside the contract declares. */
const ownDeclared = (method: string) =>
  Effect.map(Effect.all([Mark, Right]), ([mark, right]) => declaredBy(mark, right, method))

/** What a request is counted under: the route with its parameters, however they were spelled. */
const placeOf = (pattern: string, params: Readonly<Record<string, string | undefined>>): string => {
  let place = pattern
  for (const name in params) place += ` ${params[name]}`
  return place
}

/**
 * The application's router. The matched route's mark is checked, not that of a path parsed before: two
 * parsers can read one address differently. A route without a mark is closed.
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
    const enrol = (method: string, pattern: string, own: Declared) => {
      const name = `${method} ${pattern}`
      const { mark, right } = marks.get(name) ?? own
      if (mark.access === "open" && !OPEN_ROUTES.has(name)) throw new Error(`${name} is marked open, but isn't listed`)
      if (mark.access === "own" && !OWN_ROUTES.has(name)) throw new Error(`${name} is marked own, but isn't listed`)
      const row = { method, pattern, mark, right }
      table.add(row)
      return guard(row)
    }

    const add: HttpRouter.HttpRouter["add"] = (method, path, handler, options) =>
      Effect.flatMap(ownDeclared(method), (own) => {
        const route = HttpRouter.route(method, path, handler, options)
        return router.add(method, path, enrol(method, path, own)(route.handler), options)
      })
    const addAll: HttpRouter.HttpRouter["addAll"] = (routes) =>
      Effect.flatMap(ownDeclared("*"), (own) => {
        const guarded = routes.map((route) => ({
          ...route,
          handler: enrol(route.method, route.path, own)(route.handler)
        }))
        return router.addAll(Function.cast<typeof guarded, typeof routes>(guarded))
      })
    const prefixed: HttpRouter.HttpRouter["prefixed"] = () => {
      throw new Error("routes below a prefix aren't guarded: add each with its whole path")
    }
    return HttpRouter.HttpRouter.of({ ...router, add, addAll, prefixed })
  })
)
