import { characterCount, hasAtMost } from "../../../../src/contract/characterCount.ts"
import { MAX_MESSAGE } from "../../../../src/contract/outbox.ts"
import { qualifiedKey } from "../../../../src/contract/qualifiedKey.ts"
import type { OutboxItem, OutboxList, OutboxStanding } from "../../../../src/contract/schema/outbox.ts"
import type {
  OutboxMessage as KeptMessage,
  WrittenMessage
} from "../../../../src/services/conversations/turn/outgoing.ts"
import { say } from "../language/say.ts"
import type { ApiFailure } from "../link/apiTypes.ts"
import { failureText } from "../link/failureText.ts"

/** A message that isn't done with. */
export interface OutboxMessage extends Omit<KeptMessage, "error"> {
  readonly error: string | null
}

type Standing = Pick<OutboxMessage, "id" | "runId" | "state" | "mode" | "notBefore" | "held" | "error">

/** How a message stands. */
export const standingOf = ({ error, held, id, mode, notBefore, runId, state, why }: OutboxStanding): Standing => ({
  id,
  state,
  runId,
  mode,
  notBefore: notBefore ?? null,
  ...(held === undefined ? {} : { held }),
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

/** Why a text can't be sent; null if it can. */
export const tooLongText = (text: string, limit = MAX_MESSAGE): string | null =>
  hasAtMost(text, limit)
    ? null
    : say("That's too long to send ({count} of {limit} characters).", { count: characterCount(text), limit })

/** Such sentences begin with a field of the request, which says nothing to people. */
const ABOUT_FIELD = /^[\w.[\]-]+: /

/** Why the console doesn't take a message. */
export const refusalText = (text: string, { kind, message }: Pick<ApiFailure, "kind" | "message">): string =>
  tooLongText(text) ??
  (kind === "invalid" && ABOUT_FIELD.test(message) ? say("The console doesn't take this message as it is.") : message)
