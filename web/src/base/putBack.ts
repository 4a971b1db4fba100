import { draftImages } from "../core/composer/draftFiles.ts"
import { messageBelow } from "../core/composer/messageFiles.ts"
import type { AppServices } from "./AppContext.ts"
import { type Composed, compose } from "./compose.ts"

/** Puts a message where it was written: into the composer, or into its session's draft if that isn't on screen. */
export const putBack = (
  { client }: Pick<AppServices, "client">,
  sessionKey: string,
  message: Pick<Composed, "text" | "images" | "keepsFocus">
): void => {
  if (compose({ ...message, sessionKey })) return
  client.drafts.set(sessionKey, messageBelow(client.drafts.get(sessionKey), message.text))
  draftImages.set(sessionKey, [...draftImages.get(sessionKey), ...message.images])
}
