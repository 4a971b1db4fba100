import type { InboxItem } from "../core/inbox/inboxTypes.ts"
import { say } from "../core/language/say.ts"

const WORDS: Readonly<Record<string, string>> = {
  "allow-once": say("Allow once"),
  "allow-always": say("Always allow"),
  deny: say("Deny"),
  approve: say("Approve"),
  reject: say("Reject"),
  "send-back": say("Send back"),
  retry: say("Retry"),
  dismiss: say("Dismiss"),
  answer: say("Answer"),
  skip: say("Skip")
}

/** What an action is called in the page's language; as the server calls it if it's unknown here. */
export const actionText = ({ id, label }: Pick<InboxItem["actions"][number], "id" | "label">): string =>
  WORDS[id] ?? label
