import type { AppServices } from "./AppContext.ts"
import { chatPath } from "./routes.ts"

/** Creates a session and opens it, from any screen; reports what went wrong. */
export const createSession = async (app: AppServices): Promise<void> => {
  const result = await app.client.sessions.create()
  if (result.ok) app.router.navigate(chatPath(result.value))
  else app.notices.show("error", result.message)
}
