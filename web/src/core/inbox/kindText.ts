import { money } from "../common/numberText.ts"
import { pageLocale, say, sayCount } from "../language/say.ts"
import type { InboxItem, InboxKind } from "./inboxTypes.ts"

/** What items of a kind are called together. */
export const KIND_NAMES: Readonly<Record<InboxKind, string>> = {
  approval: say("Approvals"),
  question: say("Questions"),
  review: say("Reviews"),
  proposal: say("Proposals"),
  failed: say("Failures"),
  pairing: say("New devices"),
  budget: say("Budgets"),
  blocked: say("Blocked cards")
}

/** What one item of a kind is called. */
export const KIND_WORDS: Readonly<Record<InboxKind, string>> = {
  approval: say("Approval"),
  question: say("Question"),
  review: say("Review"),
  proposal: say("Proposal"),
  failed: say("Failed run"),
  pairing: say("New device"),
  budget: say("Budget"),
  blocked: say("Blocked card")
}

/** The kinds in the order in which they are offered. */
export const KINDS: ReadonlyArray<InboxKind> = [
  "approval",
  "question",
  "review",
  "proposal",
  "failed",
  "pairing",
  "budget",
  "blocked"
]

const HEADINGS: Readonly<Record<Exclude<InboxKind, "question">, string>> = {
  approval: say("The agent needs your permission"),
  review: say("A card is ready for your review"),
  proposal: say("The agent proposes a change"),
  failed: say("A run failed"),
  pairing: say("A device wants to connect"),
  budget: say("A budget needs your attention"),
  blocked: say("A card can't start by itself")
}

/** The agent that asks, by the session it asks in. */
export const askerOf = ({ sessionKey }: Pick<InboxItem, "sessionKey">): string | null =>
  sessionKey === null ? null : (/(?:^|\W)agent:([^:]+):/.exec(sessionKey)?.[1] ?? null)

/** What an item wants of a person. */
export const headingOf = ({ kind, questions, taskId }: Pick<InboxItem, "kind" | "questions" | "taskId">): string => {
  // A proposed change is about a card that exists.
  if (kind === "proposal" && taskId === null) return say("The agent proposes a card")
  if (kind !== "question") return HEADINGS[kind]
  const count = questions?.length ?? 1
  return sayCount(count, "The agent has a question", "The agent has {count} questions")
}

/** The names of budgets without one of their own. */
const UNNAMED: ReadonlyArray<readonly [RegExp, (name: string) => string]> = [
  [/^Budget of everything$/, () => say("Budget of everything")],
  [/^Budget of a card$/, () => say("Budget of a card")],
  [/^Budget of the card “(.+)”$/s, (name) => say("Budget of the card “{name}”", { name })],
  [/^Budget of a scheduled job$/, () => say("Budget of a scheduled job")],
  [/^Budget of the gateway (.+)$/s, (name) => say("Budget of the gateway {name}", { name })],
  [/^Budget of the agent (.+)$/s, (name) => say("Budget of the agent {name}", { name })],
  [/^Budget of the session (.+)$/s, (name) => say("Budget of the session {name}", { name })]
]

const budgetName = (named: string): string => {
  for (const [pattern, text] of UNNAMED) {
    const found = pattern.exec(named)
    if (found !== null) return text(found[1] ?? "")
  }
  return named
}

/** An amount of dollars or another number, as the page's language writes it. */
const amountIn = (text: string): string => {
  const [, isLess, dollars] = /^(<)?\$([\d,.]+)$/.exec(text) ?? []
  if (dollars !== undefined) return money(isLess === undefined ? Number(dollars.replaceAll(",", "")) : 0.001)
  const number = Number(text)
  return Number.isFinite(number) ? new Intl.NumberFormat(pageLocale).format(number) : text
}

/** What was spent of what, and the budget's name, in the page's language. */
const budgetTitle = (title: string): string => {
  const [, unpriced] = /^Responses without a price: (.+)$/s.exec(title) ?? []
  if (unpriced !== undefined) return say("Responses without a price: {name}", { name: budgetName(unpriced) })
  const [, was, most, unit, named] = /^Spent (\S+) of (\S+?)( minutes| turns)?: (.+)$/s.exec(title) ?? []
  if (was === undefined || most === undefined || named === undefined) return title
  const [spent, limit, name] = [amountIn(was), amountIn(most), budgetName(named)]
  if (unit === " minutes") return say("{spent} of {limit} minutes spent: {name}", { spent, limit, name })
  if (unit === " turns") return say("{spent} of {limit} responses spent: {name}", { spent, limit, name })
  return say("{spent} of {limit} spent: {name}", { spent, limit, name })
}

/** An item's title in the page's language, as far as the console's server has made it up. */
export const titleOf = ({ kind, title }: Pick<InboxItem, "kind" | "title">): string => {
  if (kind === "budget") return budgetTitle(title)
  if (kind === "blocked" && title === "Automatic starts are off") return say("Automatic starts are off")
  if (kind !== "proposal") return title
  const [, named, changed] = /^(?:New card: (.+)|Change “(.+?)”?)$/.exec(title) ?? []
  if (named !== undefined) return say("New card: {title}", { title: named })
  return changed === undefined ? title : say("Change “{title}”", { title: changed })
}

/**
 * What an item is about, and what is worth knowing besides. The title is one line; a text longer than that comes whole
 * with the detail, and takes the title's place.
 */
export const wordsOf = (item: Pick<InboxItem, "kind" | "title" | "detail">) => {
  const { detail, title } = item
  const start = title.endsWith("…") ? title.slice(0, -1) : null
  if (detail === null || start === null || !detail.startsWith(start)) return { what: titleOf(item), more: detail }
  return { what: detail, more: null }
}

/** The key that stands for an action: `a` agrees, `d` declines. */
const ACTION_KEYS: Readonly<Record<string, string>> = {
  "allow-once": "a",
  approve: "a",
  "allow-always": "w",
  deny: "d",
  reject: "d",
  dismiss: "d",
  "send-back": "b",
  retry: "r",
  skip: "s",
  again: "a",
  raise: "r",
  finish: "f",
  keep: "d",
  "start-anyway": "a",
  resume: "r",
  unlink: "u"
}

export const keyOf = (action: string): string | null => ACTION_KEYS[action] ?? null

/** Whether a decision can be taken back for a moment: nobody is kept waiting by it. */
export const canUndo = ({ kind }: Pick<InboxItem, "kind">, action: string): boolean =>
  kind === "proposal" || kind === "review" || action === "dismiss"

/** The title of the card that an item is about, as far as the item says it. */
export const cardTitleOf = ({ kind, title }: Pick<InboxItem, "kind" | "title">): string =>
  kind === "review" || kind === "failed" || kind === "blocked"
    ? title
    : (/^Change “(.+)”$/.exec(title)?.[1] ?? say("Card"))
