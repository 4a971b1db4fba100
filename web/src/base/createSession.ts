import type { AppServices } from "./AppContext.ts"
import { chatPath } from "./routes.ts"

/** Opens an empty session, from any screen: the gateway has it from its first message on. */
export const createSession = (app: AppServices): void => {
  const result = app.client.sessions.create()
  if (result.ok) app.router.navigate(chatPath(result.value))
  else app.notices.show("error", result.message)
}
