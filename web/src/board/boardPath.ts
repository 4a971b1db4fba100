import type { AppServices } from "../app/ConsoleContext.ts"
import { pathSegment } from "../app/routes.ts"
import { withParam } from "../core/board/boardFilter.ts"

/** Panels beside or over the board, as `?panel=` names them. */
export type PanelName = "new" | "inbox" | "settings"

interface Target {
  /** The card to show; none when left out. */
  readonly task?: string
  readonly panel?: PanelName
  /** Column of a new card. */
  readonly status?: string
}

/** The address of the board with another card or panel, its filter kept. */
export const boardPath = (app: Pick<AppServices, "router">, target: Target = {}): string => {
  const { search } = app.router.location.get()
  const kept = withParam(withParam(search, "panel", target.panel ?? ""), "status", target.status ?? "")
  return `${target.task === undefined ? "/board" : `/board/${pathSegment(target.task)}`}${kept}`
}

/** The board's address with another query, the same card. */
export const withSearch = (app: Pick<AppServices, "router">, search: string): string =>
  app.router.location.get().pathname + search
