import { say } from "../language/say.ts"
import type { Draft, Drafts, InboxDecision, InboxItem, QuestionPart } from "./inboxTypes.ts"

const EMPTY: Draft = { chosen: [], words: "" }

export const draftOf = (drafts: Drafts, partId: string): Draft => drafts[partId] ?? EMPTY

export const optionsOf = ({ options }: QuestionPart) => options ?? []

export const partsOf = ({ questions }: InboxItem): ReadonlyArray<QuestionPart> => questions ?? []

/** The draft after an option was pressed: if only one answer is allowed, it replaces the previous one. */
export function withOption(part: QuestionPart, draft: Draft, id: string): Draft {
  if (!part.multiple) return { chosen: [id], words: "" }
  const chosen = draft.chosen.includes(id) ? draft.chosen.filter((other) => other !== id) : [...draft.chosen, id]
  return { ...draft, chosen }
}

/** The draft after its free text changed: if only one answer is allowed, it replaces a chosen option. */
export const withWords = (part: QuestionPart, draft: Draft, words: string): Draft => ({
  chosen: part.multiple || words.trim() === "" ? draft.chosen : [],
  words
})

/** A draft as the answer to its part, options in their own order; null without any. */
function answerOf(part: QuestionPart, draft: Draft) {
  const options = optionsOf(part).flatMap(({ id }) => (draft.chosen.includes(id) ? [id] : []))
  const text = part.freeText ? draft.words.trim() : ""
  if (options.length === 0 && text === "") return null
  return { ...(options.length === 0 ? {} : { options }), ...(text === "" ? {} : { text }) }
}

/** The parts without an answer; secrets aren't drafted, so they count as answered here. */
export const openParts = (item: InboxItem, drafts: Drafts): ReadonlyArray<QuestionPart> =>
  partsOf(item).filter((part) => part.secret !== true && answerOf(part, draftOf(drafts, part.id)) === null)

/** The first part without an answer. */
export const openPart = (item: InboxItem, drafts: Drafts): QuestionPart | null => openParts(item, drafts)[0] ?? null

/** The answers made of the drafts and secrets. */
export const answersOf = (
  item: InboxItem,
  drafts: Drafts,
  secrets: Readonly<Record<string, string>>
): NonNullable<InboxDecision["answers"]> =>
  Object.fromEntries(
    partsOf(item).flatMap((part) => {
      const secret = secrets[part.id] ?? ""
      const own = secret === "" ? null : { text: secret }
      const answer = part.secret === true ? own : answerOf(part, draftOf(drafts, part.id))
      return answer === null ? [] : [[part.id, answer] as const]
    })
  )

/** The option meant by its number or text. */
function optionIn(part: QuestionPart, text: string): string | null {
  const options = optionsOf(part)
  const words = text.trim().toLowerCase()
  const numbered = /^\d+$/.test(words) ? options[Number(words) - 1] : undefined
  return (numbered ?? options.find(({ label }) => label.toLowerCase() === words))?.id ?? null
}

/** A message as the answer to one part: options by number or text, otherwise free text; null if neither fits. */
export function draftFromText(part: QuestionPart, text: string): Draft | null {
  const whole = optionIn(part, text)
  if (whole !== null) return { chosen: [whole], words: "" }
  const pieces = part.multiple ? text.split(/[,;\n]/).filter((piece) => piece.trim() !== "") : []
  const named = pieces.map((piece) => optionIn(part, piece))
  if (pieces.length > 1 && named.every((id) => id !== null))
    return { chosen: named.filter((id) => id !== null), words: "" }
  return part.freeText ? { chosen: [], words: text.trim() } : null
}

/** The part that a message answers: the first unanswered one that it fits. A lone part's answer is replaced. */
export function answeredBy(
  item: InboxItem,
  drafts: Drafts,
  text: string
): { readonly part: QuestionPart; readonly draft: Draft } | null {
  const parts = partsOf(item)
  for (const part of parts.length === 1 ? parts : openParts(item, drafts)) {
    const draft = draftFromText(part, text)
    if (draft !== null) return { part, draft }
  }
  return null
}

/** Why a message answers no part of the question. */
export function noPlaceText(item: InboxItem, drafts: Drafts): string {
  const open = openParts(item, drafts).length
  if (open === 0 && partsOf(item).length > 1) return say("Every question has an answer. Send them on the card.")
  return open > 1
    ? say("These questions don't take your own words. Choose the answers on the card.")
    : say("Choose one of the answers on the card.")
}
