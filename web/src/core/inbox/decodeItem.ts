import type * as Answer from "../../../../src/contract/answers/InboxAnswers.ts"
import { qualifiedKey } from "../../../../src/contract/qualifiedKey.ts"
import { type Fields, fieldsOf, filledText, listOf, numberOf, recordOf, recordsOf, textOf } from "../common/decode.ts"
import { say } from "../language/say.ts"
import type { InboxItem, InboxKind, QuestionPart, SecretPlace } from "./inboxTypes.ts"

/** Of this chunk alone: what it shares with screens would be a request of its own while the first one loads. */
const KINDS: ReadonlyArray<InboxKind> = ["approval", "question", "proposal", "review", "failed", "pairing"]

const webAddress = (value: unknown): string | null => {
  const text = filledText(value)
  return text !== null && /^https?:\/\//i.test(text) ? text : null
}

const storeOf = (value: unknown): SecretPlace | null => {
  const fields = fieldsOf<Answer.InboxSecretPlace>(value)
  const name = filledText(fields.name)
  if (name === null) return null
  return {
    name,
    reason: filledText(fields.reason),
    hosts: listOf(fields.hosts).filter((host) => typeof host === "string"),
    replaces: fields.replaces === true
  }
}

type Option = NonNullable<Answer.InboxQuestion["options"]>[number]

const optionOf = (fields: Fields<Option>) => {
  const id = textOf(fields.id)
  const label = filledText(fields.label)
  return id === null || label === null ? [] : [{ id, label, description: filledText(fields.description) }]
}

const questionOf = (fields: Fields<Answer.InboxQuestion>): ReadonlyArray<QuestionPart> => {
  const id = textOf(fields.id)
  const text = filledText(fields.text)
  if (id === null || text === null) return []
  return [
    {
      id,
      header: filledText(fields.header),
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
    title: filledText(fields.title) ?? say("(no title)"),
    detail: filledText(fields.detail),
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
