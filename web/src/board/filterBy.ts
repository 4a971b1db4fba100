import type { AppServices } from "../base/AppContext.ts"
import { type BoardFilter, filterFrom, withFilter } from "../core/board/boardFilter.ts"
import { withSearch } from "./boardPath.ts"

type Routed = Pick<AppServices, "router">

/** The filter that's in the address. */
export const filterOf = (app: Routed): BoardFilter => filterFrom(app.router.location.get().search)

/** Changes parts of the filter in the address; with `replace`, without a step back to what it was. */
export const filterBy = (app: Routed, change: Partial<BoardFilter>, options?: { readonly replace: boolean }): void => {
  const { search } = app.router.location.get()
  app.router.navigate(withSearch(app, withFilter(search, { ...filterFrom(search), ...change })), options)
}
