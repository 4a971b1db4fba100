import { OUTBOX_MODES, OUTBOX_STATES, type OutboxItem } from "../../../../src/contract/answers/OutboxAnswers.ts"
import { fieldsOf, numberOf, recordOf, recordsOf, textOf } from "../common/decode.ts"
import type { OutboxMessage } from "./outboxMessage.ts"
import type { WrittenMessage } from "./writtenMessage.ts"

type Attachment = NonNullable<OutboxItem["attachments"]>[number]

const fileOf = ({ name, type }: Partial<Readonly<Record<keyof Attachment, unknown>>>) => ({
  name: textOf(name) ?? "",
  type: textOf(type) ?? ""
})

/** One message of the outbox; null for anything else. */
export function outboxMessageOf(value: unknown): OutboxMessage | null {
  const fields = recordOf<OutboxItem>(value)
  const id = textOf(fields?.id)
  const state = OUTBOX_STATES.find((known) => known === fields?.state)
  if (fields === null || id === null || state === undefined) return null
  return {
    id,
    state,
    sessionKey: textOf(fields.sessionKey) ?? "",
    runId: textOf(fields.runId) ?? id,
    text: textOf(fields.text) ?? "",
    mode: OUTBOX_MODES.find((known) => known === fields.mode) ?? "next",
    position: numberOf(fields.position) ?? 0,
    notBefore: numberOf(fields.notBefore),
    at: numberOf(fields.createdAt) ?? 0,
    error: textOf(fields.error),
    files: recordsOf<Attachment>(fields.attachments).map(fileOf)
  }
}

/** How a message stands; null for anything else. */
export function standingOf(
  value: unknown
): Pick<OutboxMessage, "id" | "runId" | "state" | "mode" | "notBefore" | "error"> | null {
  const message = outboxMessageOf(value)
  if (message === null) return null
  const { id, runId, state, mode, notBefore, error } = message
  return { id, runId, state, mode, notBefore, error }
}

/** Messages in the console's order, session by session; null for anything else. */
export function outboxListOf(value: unknown): ReadonlyArray<OutboxMessage> | null {
  const { items } = fieldsOf<{ readonly items: unknown }>(value)
  return Array.isArray(items) ? items.flatMap((item) => outboxMessageOf(item) ?? []) : null
}

/** A message that the console doesn't have yet, as one that it has. */
export const messageOf = (
  { id, sessionKey, text, mode, notBefore, at, images }: WrittenMessage,
  state: OutboxMessage["state"],
  error: string | null
): OutboxMessage => ({
  id,
  sessionKey,
  runId: id,
  text,
  mode,
  position: 0,
  notBefore: notBefore ?? null,
  at,
  state,
  error,
  files: images.map(({ fileName, mimeType }) => ({ name: fileName, type: mimeType }))
})
