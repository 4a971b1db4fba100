import { say } from "../language/say.ts"
import type { Asked, Draft, Drafts, InboxItem } from "./inboxTypes.ts"
import { waitingKeys } from "./waiting.ts"

/** Whether a message can answer it: nobody writes a secret into the open. */
export const takesWords = ({ questions }: Pick<InboxItem, "questions">): boolean =>
  questions?.every(({ secret }) => secret !== true) === true

const isEmpty = (draft: Draft | undefined): boolean =>
  draft === undefined || (draft.chosen.length === 0 && draft.words.trim() === "")

/** What a message does to a question, in words: it is the whole answer, or the answer to one of several parts. */
function offerOf({ id, questions }: InboxItem, drafts: Readonly<Record<string, Drafts>>): Omit<Asked, "item"> {
  const parts = questions ?? []
  const open = parts.filter((part) => isEmpty(drafts[id]?.[part.id]))
  if (open.length === 0 && parts.length > 1)
    return { label: say("Answer on the card"), text: say("Every question has an answer. Send them on the card.") }
  if (open.length < 2) return { label: say("Send as answer"), text: say("The agent is waiting for your answer.") }
  const next = open.find(({ freeText }) => freeText)
  const name = next?.header == null ? say("the next one") : `“${next.header}”`
  const place = next === undefined ? say("Choose the answers on the card.") : say("Your text answers {name}.", { name })
  return {
    label: say("Answer one question"),
    text: say("{open} questions are open. {place}", { open: open.length, place })
  }
}

/** The question that a message answers in each session, the most urgent first; what hasn't changed stays the same. */
export function askedIn(
  open: ReadonlyArray<InboxItem>,
  drafts: Readonly<Record<string, Drafts>>,
  before: ReadonlyMap<string, Asked> = new Map()
): ReadonlyMap<string, Asked> {
  const asked = new Map<string, Asked>()
  for (const item of open) {
    const key = item.sessionKey ?? ""
    if (item.kind !== "question" || waitingKeys(item).length === 0 || asked.has(key) || !takesWords(item)) continue
    const now = { item, ...offerOf(item, drafts) }
    const last = before.get(key)
    asked.set(key, last?.item === item && last.label === now.label && last.text === now.text ? last : now)
  }
  return asked
}
