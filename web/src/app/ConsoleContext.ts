import { createContextId, useContext } from "@builder.io/qwik"
import type { Console } from "../core/types.ts"
import type { Notices } from "./Notices.ts"
import type { Router } from "./Router.ts"

/** What every screen may use; made once per page and never replaced. */
export interface AppServices {
  readonly console: Console
  readonly router: Router
  readonly notices: Notices
}

export const AppContext = createContextId<AppServices>("agent-console.services")

/** The page's services. */
export const useServices = (): AppServices => useContext(AppContext)
