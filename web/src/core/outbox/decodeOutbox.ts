import {
  OUTBOX_MODES,
  OUTBOX_STATES,
  type OutboxItem,
  type OutboxStanding
} from "../../../../src/contract/answers/OutboxAnswers.ts"
import { qualifiedKey } from "../../../../src/contract/qualifiedKey.ts"
import { fieldsOf, numberOf, recordOf, recordsOf, textOf } from "../common/decode.ts"
import type { OutboxMessage } from "./outboxMessage.ts"
import type { WrittenMessage } from "./writtenMessage.ts"

type Standing = Pick<OutboxMessage, "id" | "runId" | "state" | "mode" | "notBefore" | "error">
type Attachment = NonNullable<OutboxItem["attachments"]>[number]

const fileOf = ({ name, type }: Partial<Readonly<Record<keyof Attachment, unknown>>>) => ({
  name: textOf(name) ?? "",
  type: textOf(type) ?? ""
})

/** How a message stands; null for anything else. */
export function standingOf(value: unknown): Standing | null {
  const fields = recordOf<OutboxStanding>(value)
  const id = textOf(fields?.id)
  const state = OUTBOX_STATES.find((known) => known === fields?.state)
  if (fields === null || id === null || state === undefined) return null
  return {
    id,
    state,
    runId: textOf(fields.runId) ?? id,
    mode: OUTBOX_MODES.find((known) => known === fields.mode) ?? "next",
    notBefore: numberOf(fields.notBefore),
    error: textOf(fields.error)
  }
}

/** One message of the outbox; null for anything else. */
export function outboxMessageOf(value: unknown): OutboxMessage | null {
  const fields = recordOf<OutboxItem>(value)
  const standing = standingOf(value)
  if (fields === null || standing === null) return null
  return {
    ...standing,
    sessionKey: qualifiedKey(textOf(fields.gatewayId) ?? "primary", textOf(fields.sessionKey) ?? ""),
    text: textOf(fields.text) ?? "",
    position: numberOf(fields.position) ?? 0,
    at: numberOf(fields.createdAt) ?? 0,
    files: recordsOf<Attachment>(fields.attachments).map(fileOf)
  }
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
