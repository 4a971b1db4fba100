import { Context } from "effect"
import { RIGHTS, type Right } from "../../contract/schema/live.ts"
import type { Session } from "./auth/Auth.ts"

/** What the client of a session may do; nobody has a session while sign-in is off. */
export type RightsOf = (session: Session | undefined) => ReadonlyArray<Right>

/** The rights of clients: everybody may do everything until people have roles. */
export const ClientRights = Context.Reference<RightsOf>("agent-console/services/access/ClientRights", {
  defaultValue: () => () => RIGHTS
})
