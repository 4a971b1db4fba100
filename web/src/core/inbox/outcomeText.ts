import { say } from "../language/say.ts"
import type { InboxItem } from "./inboxTypes.ts"

/** The gateway has restarted since, and no longer asks. */
const RESTARTED = "gateway-restarted"

const DONE: Readonly<Record<string, string>> = {
  "allow-once": say("Allowed once"),
  "allow-always": say("Always allowed"),
  deny: say("Denied"),
  answer: say("Answered"),
  skip: say("Skipped"),
  approve: say("Approved"),
  reject: say("Rejected"),
  "send-back": say("Sent back"),
  [RESTARTED]: say("No longer asked"),
  dismiss: say("Dismissed"),
  retry: say("Started again"),
  again: say("Granted once more"),
  raise: say("Limit raised"),
  finish: say("Finishing up"),
  keep: say("Kept paused"),
  ended: say("Ended"),
  "start-anyway": say("Started anyway"),
  unlink: say("Link removed"),
  resume: say("Automatic starts on again")
}

/** What happened to an item, in a word or two: "Denied", "Answered: Blue". */
export const decisionText = ({ kind, resolution }: Pick<InboxItem, "kind" | "resolution">): string => {
  if (resolution === null) return say("Ended")
  if (resolution.by === "timeout" && kind === "budget") return say("A new period has begun")
  if (resolution.by === "timeout") return kind === "approval" ? say("Denied automatically") : say("Expired")
  const done = DONE[resolution.action] ?? say("Settled")
  return resolution.answer === null ? done : `${done}: ${resolution.answer}`
}

/** Who decided: people at a console, or somewhere else. */
export const deciderText = ({ kind, resolution }: Pick<InboxItem, "kind" | "resolution">): string => {
  if (resolution === null) return ""
  if (resolution.by === "timeout") return kind === "budget" ? say("By itself") : say("Nobody answered in time")
  if (resolution.action === RESTARTED) return say("The gateway restarted")
  return resolution.by === "console" ? say("In Agent Console") : say("Elsewhere")
}

/** How a question ended for people who see it in its conversation and didn't answer it there. */
export const questionNoteText = ({ resolution }: Pick<InboxItem, "resolution">): string => {
  if (resolution === null || resolution.by === "timeout")
    return say("You didn't answer in time. The agent continued without an answer.")
  if (resolution.action === RESTARTED) return say("The gateway restarted, and its question ended with it.")
  if (resolution.action !== "answer") return say("Skipped elsewhere. The agent continued without an answer.")
  return resolution.answer === null
    ? say("Answered elsewhere.")
    : say("Answered elsewhere: {answer}", { answer: resolution.answer })
}

/** Why a decision came too late. */
export const tooLateText = (item: InboxItem): string => {
  if (item.resolution === null) return say("This was already decided.")
  if (item.resolution.by === "timeout")
    return say("Too late: {outcome}, nobody answered in time.", { outcome: decisionText(item).toLowerCase() })
  if (item.resolution.action === RESTARTED) return say("Too late: the gateway restarted and no longer asks this.")
  const done = DONE[item.resolution.action]
  if (done === undefined) return say("This was already decided elsewhere.")
  const { answer } = item.resolution
  return answer === null
    ? say("Someone was faster. {done} elsewhere.", { done })
    : say("Someone was faster. {done} elsewhere: {answer}", { done, answer })
}
