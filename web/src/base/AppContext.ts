import { createContextId, useContext } from "@builder.io/qwik"
import type { Client } from "../core/client/Client.ts"
import type { CommandRegistry } from "../core/commands/CommandRegistry.ts"
import type { Observable } from "../core/common/Observable.ts"
import type { Notices } from "./Notices.ts"
import type { Router } from "./Router.ts"

/** What is shown over the screen: the command palette, the shortcut sheet, or nothing. */
export type Overlay = "palette" | "shortcuts" | null

/** What every screen can use; created once per page and never replaced. */
export interface AppServices {
  readonly client: Client
  readonly router: Router
  readonly notices: Notices
  readonly commands: CommandRegistry
  readonly overlay: Observable<Overlay>
}

export const AppContext = createContextId<AppServices>("agent-console.services")

export const useServices = (): AppServices => useContext(AppContext)
