import { component$ } from "@builder.io/qwik"
import type { AppServices } from "../base/AppContext.ts"
import { scopeOfSession, workOfSession } from "../core/budgets/holds.ts"
import { askLimit } from "./askLimit.ts"
import { HoldNotes } from "./HoldNotes.tsx"

/** The budgets that hold a session. */
export const SessionHolds = component$<{ readonly sessionKey: string }>((props) => {
  const work = workOfSession(props.sessionKey)
  return <HoldNotes work={work} />
})

/** Asks for a session's limit. */
export const askSessionLimit = (app: Pick<AppServices, "client">, sessionKey: string): void =>
  askLimit(app, scopeOfSession(sessionKey))
