import type { ServerResponse } from "node:http"
import type { AuthShape, Session } from "../../../services/access/auth/Auth.ts"

/**
 * Ends an answer that's still open when the session that asked for it ends. One that's complete at any point ends by
 * itself; of any other, the connection is cut, so that nobody takes a part for the whole.
 */
export const endWithSession = (
  { onEnded }: Pick<AuthShape, "onEnded">,
  session: Session,
  response: ServerResponse,
  isAlwaysComplete: boolean
): void => {
  if (response.closed || response.destroyed) return
  const forget = onEnded(session, () => {
    // What waits for a slow reader would keep the connection open.
    if (isAlwaysComplete && response.headersSent && response.writableLength === 0) response.end()
    else response.destroy()
  })
  response.on("close", forget)
}
