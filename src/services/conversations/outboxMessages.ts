import { qualifiedKey } from "../../contract/qualifiedKey.ts"
import type { OutboxItem } from "../../contract/schema/outbox.ts"
import { optionalEntry } from "../platform/optionalEntry.ts"
import type { OutboxMessage } from "./turn/outgoing.ts"

/** A message of the outbox as the rules of a conversation take it. */
export const outboxMessageOf = (item: OutboxItem): OutboxMessage => {
  const { attachments = [], createdAt, error, gatewayId, held, id, mode, notBefore, position, runId, state, why } = item
  return {
    id,
    sessionKey: qualifiedKey(gatewayId, item.sessionKey),
    runId,
    text: item.text,
    mode,
    position,
    notBefore: notBefore ?? null,
    at: createdAt,
    state,
    ...optionalEntry("held", held),
    error: error === undefined ? null : { message: error, ...optionalEntry("why", why) },
    files: attachments.map(({ name, type }) => ({ name, type }))
  }
}
