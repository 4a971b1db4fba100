import type { ServerResponse } from "node:http"
import type { AuthShape, Session } from "../../../services/access/auth/Auth.ts"

/** Does something about a response that's still open when the session that asked for it ends. */
export const endWithSession = (
  { onEnded }: Pick<AuthShape, "onEnded">,
  session: Session,
  response: ServerResponse,
  end: () => void
): void => {
  if (response.closed || response.destroyed) return
  response.on("close", onEnded(session, end))
}

/** Ends a stream that's complete at any point; what waits for a slow reader would keep it open, so that is cut. */
export const endStream = (response: ServerResponse): void => {
  if (response.headersSent && response.writableLength === 0) response.end()
  else response.destroy()
}
