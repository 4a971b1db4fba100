import { createContextId, useContext } from "@builder.io/qwik"
import type { CommandRegistry } from "../core/commands/CommandRegistry.ts"
import type { Observable } from "../core/Observable.ts"
import type { Console } from "../core/types.ts"
import type { Notices } from "./Notices.ts"
import type { Router } from "./Router.ts"

/** What lies over the screen: the command palette, the sheet of shortcuts, or nothing. */
export type Overlay = "palette" | "shortcuts" | null

/** What every screen may use; made once per page and never replaced. */
export interface AppServices {
  readonly console: Console
  readonly router: Router
  readonly notices: Notices
  readonly commands: CommandRegistry
  readonly overlay: Observable<Overlay>
}

export const AppContext = createContextId<AppServices>("agent-console.services")

/** The page's services. */
export const useServices = (): AppServices => useContext(AppContext)
