import { ByteSize, Context, Effect } from "effect"
import { type RatePreset, ratePresets } from "../services/access/ratelimit/attemptStore.ts"

/**
 * The clients that may call a route while sign-in is on: `session`, those with a session; `command`, also a command on
 * this machine with the console's secret; `open`, all; `own`, those that the route's handler accepts.
 */
export type Access = "session" | "command" | "open" | "own"

/** How a route's body is read: as JSON or as bytes independent of its type, as a multipart form, or as it is. */
export type BodyKind = "json" | "bytes" | "form" | "raw"

/** The requirements of a route, set at its declaration. */
export interface RouteMark {
  readonly access: Access
  /** `undefined` for a route without a limit. */
  readonly rate: RatePreset | undefined
  readonly bodyLimit: ByteSize.ByteSize
  readonly body: BodyKind
}

/** The mark of routes without one: closed, with the general limit. */
export const CLOSED: RouteMark = {
  access: "session",
  rate: ratePresets.general,
  bodyLimit: ByteSize.mebibytes(13),
  body: "json"
}

/** The differences for a route outside the API that checks access itself. */
export const OWN_ACCESS = { access: "own", rate: undefined, body: "raw" } as const satisfies Partial<RouteMark>

/** The mark of an endpoint, as an annotation, or of all routes that an effect adds. */
export const Mark = Context.Reference<RouteMark>("agent-console/http/RouteMark", { defaultValue: () => CLOSED })

/** A mark that differs from the closed one in what is named. */
export const mark = (different: Partial<RouteMark>): RouteMark => ({ ...CLOSED, ...different })

/** Adds routes with a mark. */
export const marked =
  (different: Partial<RouteMark>) =>
  <A, E, R>(adding: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provideService(adding, Mark, mark(different))
