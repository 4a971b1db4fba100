import type { AppServices } from "../base/AppContext.ts"
import { pathSegment } from "../base/routes.ts"
import { withParam } from "../core/board/boardFilter.ts"

/** Panels beside or over the board, as named by `?panel=`. */
export type PanelName = "new" | "inbox" | "settings" | "view" | "rename"

interface Target {
  /** The card to show; none when left out. */
  readonly task?: string
  readonly panel?: PanelName
  /** Column for a new card. */
  readonly status?: string
}

/** The board's address with another card or panel, keeping the filter. */
export const boardPath = (app: Pick<AppServices, "router">, target: Target = {}): string => {
  const { search } = app.router.location.get()
  const kept = withParam(withParam(search, "panel", target.panel ?? ""), "status", target.status ?? "")
  return `${target.task === undefined ? "/board" : `/board/${pathSegment(target.task)}`}${kept}`
}

/** The board's address with another query, keeping the card. */
export const withSearch = (app: Pick<AppServices, "router">, search: string): string =>
  app.router.location.get().pathname + search
