import type { AppServices } from "./ConsoleContext.ts"
import { chatPath } from "./routes.ts"

/** Makes a session and goes there, from whichever screen; tells what went wrong. */
export const createSession = async (app: AppServices): Promise<void> => {
  const result = await app.console.sessions.create()
  if (result.ok) app.router.navigate(chatPath(result.value))
  else app.notices.show("error", result.message)
}
