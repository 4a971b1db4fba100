import { qualifiedKey } from "../../../../src/contract/qualifiedKey.ts"
import type * as Answer from "../../../../src/contract/schema/inbox.ts"
import { markUnseen, type TextUse } from "../../../../src/contract/unseenCharacters.ts"
import { say } from "../language/say.ts"
import { failureText } from "../link/failureText.ts"
import type { InboxItem, InboxKind, QuestionPart } from "./inboxTypes.ts"

/** A text that people read before they allow what it says: nothing in it is hidden. */
const shown = (text: string | undefined, use: TextUse): string | null =>
  text === undefined || text.trim() === "" ? null : markUnseen(text, use)

/** What runs or connects is taken by its letter; all else is words of people and agents. */
const useOf = (kind: InboxKind): TextUse => (kind === "approval" || kind === "pairing" ? "exact" : "prose")

/** An agent writes the address, so nothing but a web page is opened. */
const webAddress = (text: string | undefined): string | null =>
  text !== undefined && /^https?:\/\//i.test(text) ? text : null

const storeOf = ({ hosts, name, reason, replaces }: Answer.InboxSecretPlace): QuestionPart["store"] => ({
  name: markUnseen(name, "exact"),
  reason: shown(reason, "prose"),
  hosts: hosts.map((host) => markUnseen(host)),
  replaces
})

const questionOf = (question: Answer.InboxQuestion): QuestionPart => ({
  id: question.id,
  header: shown(question.header, "prose"),
  text: markUnseen(question.text, "prose"),
  url: webAddress(question.url),
  options: (question.options ?? []).map(({ description, id, label }) => ({
    id,
    label: markUnseen(label, "prose"),
    description: shown(description, "prose")
  })),
  multiple: question.multiple,
  freeText: question.freeText,
  secret: question.secret === true,
  store: question.store === undefined ? null : storeOf(question.store)
})

/** An item as people see it. */
export const itemOf = (item: Answer.InboxItem): InboxItem => ({
  ...item,
  title: shown(item.title, useOf(item.kind)) ?? say("(no title)"),
  detail: failureText(shown(item.detail, useOf(item.kind)), item.why),
  sessionKey: item.sessionKey === undefined ? null : qualifiedKey(item.gatewayId, item.sessionKey),
  taskId: item.taskId ?? null,
  expiresAt: item.expiresAt ?? null,
  questions: (item.questions ?? []).map(questionOf),
  actions: item.actions.map((action) => ({ needs: null, ...action })),
  resolution: item.resolution === undefined ? null : { answer: null, ...item.resolution }
})

export const pageOf = ({ items, ...counts }: Answer.InboxPage) => ({ ...counts, items: items.map(itemOf) })
