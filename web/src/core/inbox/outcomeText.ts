import type { InboxItem } from "./inboxTypes.ts"

/** The gateway has restarted since, and no longer asks. */
const RESTARTED = "gateway-restarted"

const DONE: Readonly<Record<string, string>> = {
  "allow-once": "Allowed once",
  "allow-always": "Always allowed",
  deny: "Denied",
  answer: "Answered",
  skip: "Skipped",
  approve: "Approved",
  reject: "Rejected",
  "send-back": "Sent back",
  [RESTARTED]: "No longer asked",
  dismiss: "Dismissed",
  retry: "Started again"
}

/** What happened to an item, in a word or two: "Denied", "Answered: Blue". */
export const decisionText = ({ kind, resolution }: Pick<InboxItem, "kind" | "resolution">): string => {
  if (resolution === null) return "Ended"
  if (resolution.by === "timeout") return kind === "approval" ? "Denied automatically" : "Expired"
  const done = DONE[resolution.action] ?? "Settled"
  return resolution.answer === null ? done : `${done}: ${resolution.answer}`
}

/** Who decided: people at a console, or somewhere else. */
export const deciderText = ({ resolution }: Pick<InboxItem, "resolution">): string => {
  if (resolution === null) return ""
  if (resolution.by === "timeout") return "Nobody answered in time"
  if (resolution.action === RESTARTED) return "The gateway restarted"
  return resolution.by === "console" ? "In Agent Console" : "Elsewhere"
}

/** How a question ended for people who see it in its conversation and didn't answer it there. */
export const questionNoteText = ({ resolution }: Pick<InboxItem, "resolution">): string => {
  if (resolution === null || resolution.by === "timeout")
    return "You didn't answer in time. The agent continued without an answer."
  if (resolution.action === RESTARTED) return "The gateway restarted, and its question ended with it."
  if (resolution.action !== "answer") return "Skipped elsewhere. The agent continued without an answer."
  return resolution.answer === null ? "Answered elsewhere." : `Answered elsewhere: ${resolution.answer}`
}

/** Why a decision came too late. */
export const tooLateText = (item: InboxItem): string => {
  if (item.resolution === null) return "This was already decided."
  if (item.resolution.by === "timeout") return `Too late: ${decisionText(item).toLowerCase()}, nobody answered in time.`
  if (item.resolution.action === RESTARTED) return "Too late: the gateway restarted and no longer asks this."
  const done = DONE[item.resolution.action]
  if (done === undefined) return "This was already decided elsewhere."
  const answer = item.resolution.answer === null ? "" : ` ${item.resolution.answer}`
  return `Someone was faster. ${done} elsewhere${answer === "" ? "." : `:${answer}`}`
}
