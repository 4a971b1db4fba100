import type { InboxKind } from "../core/inbox/inboxTypes.ts"
import { say } from "../core/language/say.ts"

/** What one item of a kind is called. */
export const KIND_WORDS: Readonly<Record<InboxKind, string>> = {
  approval: say("Approval"),
  question: say("Question"),
  review: say("Review"),
  proposal: say("Proposal"),
  failed: say("Failed run"),
  pairing: say("New device")
}
