import type { SessionsStore } from "../core/chatTypes.ts"
import type { Router } from "./Router.ts"
import { addressedSession, chatPath } from "./routes.ts"

/**
 * Keeps the address and the selected session the same: an address selects its session, a session selected elsewhere
 * (a new one, or after a removal) becomes the address. Ends when the returned function is called.
 */
export const followSessions = (
  router: Pick<Router, "location" | "navigate">,
  sessions: SessionsStore
): (() => void) => {
  const addressed = () => addressedSession(router.location.get())
  const fromAddress = () => {
    const key = addressed()
    if (typeof key === "string") sessions.select(key)
    else if (key === null) fromSelection()
  }
  const fromSelection = () => {
    const key = addressed()
    const selected = sessions.activeKey.get()
    if (key === undefined || key === selected) return
    router.navigate(chatPath(selected), { replace: key === null })
  }
  const stopAddress = router.location.subscribe(fromAddress)
  fromAddress()
  const stopSelection = sessions.activeKey.subscribe(fromSelection)
  return () => {
    stopAddress()
    stopSelection()
  }
}
