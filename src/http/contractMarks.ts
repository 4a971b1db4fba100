import { Context } from "effect"
import { Api } from "./Api.ts"
import { Mark, type RouteMark } from "./RouteMark.ts"

/** The marks of the contract's endpoints by method and path, as `GET /api/crons/:id`; an endpoint's own replaces its group's. */
export const contractMarks = (): ReadonlyMap<string, RouteMark> =>
  new Map(
    Object.values(Api.groups).flatMap((group) =>
      Object.values(group.endpoints).map(({ method, path, annotations }) => [
        `${method} ${path}`,
        Context.get(Context.merge(group.annotations, annotations), Mark)
      ])
    )
  )
