import { qualifiedKey } from "../../../../src/contract/qualifiedKey.ts"
import type { OutboxItem, OutboxList, OutboxStanding } from "../../../../src/contract/schema/outbox.ts"
import type { WrittenMessage } from "../link/Environment.ts"
import { failureText } from "../link/failureText.ts"
import type { OutboxMessage } from "./outboxMessage.ts"

type Standing = Pick<OutboxMessage, "id" | "runId" | "state" | "mode" | "notBefore" | "error">

/** How a message stands. */
export const standingOf = ({ error, id, mode, notBefore, runId, state, why }: OutboxStanding): Standing => ({
  id,
  state,
  runId,
  mode,
  notBefore: notBefore ?? null,
  error: failureText(error ?? null, why)
})

/** One message of the outbox. */
export const outboxMessageOf = (item: OutboxItem): OutboxMessage => ({
  ...standingOf(item),
  sessionKey: qualifiedKey(item.gatewayId, item.sessionKey),
  text: item.text,
  position: item.position,
  at: item.createdAt,
  files: (item.attachments ?? []).map(({ name, type }) => ({ name, type }))
})

/** Messages in the console's order, session by session. */
export const outboxListOf = ({ items }: OutboxList): ReadonlyArray<OutboxMessage> => items.map(outboxMessageOf)

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
