import type { AppServices } from "../base/AppContext.ts"
import { putBack } from "../base/putBack.ts"
import { say } from "../core/language/say.ts"

/** Puts messages that aren't sent where they were written: into the composer, or into their session's draft. */
export const followReturned = ({ client, notices }: Pick<AppServices, "client" | "notices">): (() => void) =>
  client.returned.subscribe((returned) => {
    if (returned === null) return
    const { images, sessionKey, text } = returned.message
    putBack({ client }, sessionKey, { text, images, keepsFocus: true })
    notices.show(
      "error",
      say("Your message wasn't sent. It's back in the message field. {reason}", { reason: returned.reason })
    )
  })
