import type { Router } from "../base/Router.ts"
import { addressedSession, chatPath } from "../base/routes.ts"
import type { SessionsStore } from "../core/sessions/sessionTypes.ts"

/**
 * Keeps the address and the selected session in step: an address selects its session, and a session selected
 * elsewhere (a new one, or after a deletion) becomes the address. Stops when the returned function is called.
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
