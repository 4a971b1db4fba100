import { ByteSize, Context, Effect } from "effect"
import { type RatePreset, ratePresets } from "../services/access/ratelimit/attemptStore.ts"

/**
 * Who may call a route while sign-in is on: `session`, whoever is signed in; `command`, besides that a command on this
 * machine with the console's secret; `open`, anybody; `own`, whom the route's handler lets in.
 */
export type Access = "session" | "command" | "open" | "own"

/** How a route's body is read: as JSON or as bytes whatever its type says, as a multipart form, or as it is. */
export type BodyKind = "json" | "bytes" | "form" | "raw"

/** What a request has to meet before a route handles it. It stands where the route is declared. */
export interface RouteMark {
  readonly access: Access
  /** `undefined` for a route without a limit. */
  readonly rate: RatePreset | undefined
  readonly bodyLimit: ByteSize.ByteSize
  readonly body: BodyKind
}

/** What a route without a mark has: closed, and limited like any other. */
export const CLOSED: RouteMark = {
  access: "session",
  rate: ratePresets.general,
  bodyLimit: ByteSize.mebibytes(13),
  body: "json"
}

/** What differs for a route that lets in by its own rule, and isn't part of the API. */
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
