import type * as Answer from "../../../../src/contract/answers/InboxAnswers.ts"
import { qualifiedKey } from "../../../../src/contract/qualifiedKey.ts"
import { markUnseen, type TextUse } from "../../../../src/contract/unseenCharacters.ts"
import { type Fields, fieldsOf, filledText, listOf, numberOf, recordOf, recordsOf, textOf } from "../common/decode.ts"
import { say } from "../language/say.ts"
import type { InboxItem, InboxKind, QuestionPart, SecretPlace } from "./inboxTypes.ts"

/** Of this chunk alone: what it shares with screens would be a request of its own while the first one loads. */
const KINDS: ReadonlyArray<InboxKind> = ["approval", "question", "proposal", "review", "failed", "pairing"]

/** A text that people read before they allow what it says: nothing in it is hidden. */
const shown = (value: unknown, use: TextUse): string | null => {
  const text = filledText(value)
  return text === null ? null : markUnseen(text, use)
}

/** What runs or connects is taken by its letter; all else is words of people and agents. */
const useOf = (kind: InboxKind): TextUse => (kind === "approval" || kind === "pairing" ? "exact" : "prose")

const webAddress = (value: unknown): string | null => {
  const text = filledText(value)
  return text !== null && /^https?:\/\//i.test(text) ? text : null
}

const storeOf = (value: unknown): SecretPlace | null => {
  const fields = fieldsOf<Answer.InboxSecretPlace>(value)
  const name = shown(fields.name, "exact")
  if (name === null) return null
  return {
    name,
    reason: shown(fields.reason, "prose"),
    hosts: listOf(fields.hosts).flatMap((host) => (typeof host === "string" ? markUnseen(host) : [])),
    replaces: fields.replaces === true
  }
}

type Option = NonNullable<Answer.InboxQuestion["options"]>[number]

const optionOf = (fields: Fields<Option>) => {
  const id = textOf(fields.id)
  const label = shown(fields.label, "prose")
  return id === null || label === null ? [] : [{ id, label, description: shown(fields.description, "prose") }]
}

const questionOf = (fields: Fields<Answer.InboxQuestion>): ReadonlyArray<QuestionPart> => {
  const id = textOf(fields.id)
  const text = shown(fields.text, "prose")
  if (id === null || text === null) return []
  return [
    {
      id,
      header: shown(fields.header, "prose"),
      text,
      url: webAddress(fields.url),
      options: recordsOf<Option>(fields.options).flatMap(optionOf),
      multiple: fields.multiple === true,
      freeText: fields.freeText === true,
      secret: fields.secret === true,
      store: storeOf(fields.store)
    }
  ]
}

const actionOf = (fields: Fields<Answer.InboxAction>): InboxItem["actions"] => {
  const id = filledText(fields.id)
  if (id === null) return []
  const needs = fields.needs === "text" || fields.needs === "answers" ? fields.needs : null
  return [{ id, label: filledText(fields.label) ?? id, needs }]
}

const resolutionOf = (value: unknown): InboxItem["resolution"] => {
  const fields = recordOf<Answer.InboxResolution>(value)
  if (fields === null) return null
  return {
    action: filledText(fields.action) ?? "unknown",
    at: numberOf(fields.at) ?? 0,
    by: fields.by === "console" || fields.by === "timeout" ? fields.by : "elsewhere",
    answer: filledText(fields.answer)
  }
}

/** An item of the inbox, as far as it can be read; null for what this page can't show. */
export const itemOf = (value: unknown): InboxItem | null => {
  const fields = recordOf<Answer.InboxItem>(value)
  const id = filledText(fields?.id)
  const kind = KINDS.find((one) => one === fields?.kind)
  if (fields === null || id === null || kind === undefined) return null
  const gatewayId = textOf(fields.gatewayId) ?? "primary"
  const sessionKey = filledText(fields.sessionKey)
  return {
    id,
    gatewayId,
    kind,
    title: shown(fields.title, useOf(kind)) ?? say("(no title)"),
    detail: shown(fields.detail, useOf(kind)),
    sessionKey: sessionKey && qualifiedKey(gatewayId, sessionKey),
    taskId: filledText(fields.taskId),
    createdAt: numberOf(fields.createdAt) ?? 0,
    expiresAt: numberOf(fields.expiresAt),
    state: fields.state === "resolved" || fields.state === "expired" ? fields.state : "open",
    questions: recordsOf<Answer.InboxQuestion>(fields.questions).flatMap(questionOf),
    actions: recordsOf<Answer.InboxAction>(fields.actions).flatMap(actionOf),
    resolution: resolutionOf(fields.resolution)
  }
}

/** A page of items; null without a list. */
export const pageOf = (body: unknown) => {
  const fields = recordOf<Answer.InboxPage>(body)
  if (fields === null || !Array.isArray(fields.items)) return null
  return {
    items: recordsOf(fields.items).flatMap((row) => itemOf(row) ?? []),
    total: numberOf(fields.total) ?? 0,
    open: numberOf(fields.open) ?? 0
  }
}

/** The item in the answer of a decision that came too late; null for anything else. */
export const laterItem = (body: unknown): InboxItem | null => itemOf(fieldsOf(body).item)
