import { Context, Layer } from "effect"
import type { Right } from "../contract/schema/live.ts"
import type { RouteMark } from "./RouteMark.ts"

/** A route as it was added. */
export interface TableRow {
  readonly method: string
  /** Such as `/api/crons/:id`. */
  readonly pattern: string
  readonly mark: RouteMark
  /** The right that a client needs; none for a route that is open or decides for itself. */
  readonly right: Right | undefined
}

/** All routes: for the `Allow` header of a 405, and for checks of all routes. */
export class RouteTable extends Context.Service<
  RouteTable,
  {
    readonly add: (row: TableRow) => void
    /** Methods with a route for this path, in alphabetical order; none for an unknown path. */
    readonly methodsOf: (path: string) => ReadonlyArray<string>
    readonly rows: ReadonlyArray<TableRow>
  }
>()("agent-console/http/RouteTable") {
  static readonly layer = Layer.sync(RouteTable, () => {
    const rows: Array<TableRow> = []
    const routes: Array<{ readonly method: string; readonly segments: ReadonlyArray<string> }> = []
    return RouteTable.of({
      rows,
      add: (row) => {
        rows.push(row)
        routes.push({ method: row.method, segments: row.pattern.split("/") })
      },
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
