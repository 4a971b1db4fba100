import { Context, Effect } from "effect"
import type { Right as RightName } from "../contract/schema/live.ts"

/** The rights that a group's routes need: those that only read, and those that change something. */
interface GroupRights {
  readonly read: RightName
  readonly change: RightName
}

/** What is annotated: a right, those of a group, or nothing. */
export type RouteRight = RightName | GroupRights | undefined

/**
 * The right that a route needs, beside its declaration: the endpoint's own, or its group's. A closed route without one
 * needs `own`; one that is open or decides for itself needs none.
 */
export const Right = Context.Reference<RouteRight>("agent-console/http/Right", {
  defaultValue: () => undefined
})

/** The rights of a group's routes by their methods. */
export const rights = (read: RightName, change: RightName): GroupRights => ({ read, change })

/** The right that a route of this method needs by its annotation. */
export const rightOf = (annotated: RouteRight, method: string): RightName | undefined => {
  if (annotated === undefined || typeof annotated === "string") return annotated
  return method === "GET" ? annotated.read : annotated.change
}

/** Adds routes that need a right. */
export const needing =
  (right: RightName) =>
  <A, E, R>(adding: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provideService(adding, Right, right)
