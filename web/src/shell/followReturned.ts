import type { AppServices } from "../base/AppContext.ts"
import { compose } from "../base/compose.ts"
import { draftImages } from "../core/composer/draftImages.ts"
import { messageBelow } from "../core/composer/messageFiles.ts"
import { say } from "../core/language/say.ts"

/** Puts messages that aren't sent where they were written: into the composer, or into their session's draft. */
export const followReturned = ({ client, notices }: Pick<AppServices, "client" | "notices">): (() => void) =>
  client.returned.subscribe((returned) => {
    if (returned === null) return
    const { images, sessionKey, text } = returned.message
    if (!compose({ text, images, sessionKey })) {
      client.drafts.set(sessionKey, messageBelow(client.drafts.get(sessionKey), text))
      draftImages.set(sessionKey, [...draftImages.get(sessionKey), ...images])
    }
    notices.show(
      "error",
      say("Your message wasn't sent. It's back in the message field. {reason}", { reason: returned.reason })
    )
  })
