import { Effect } from "effect"
import { keyParts } from "../../../contract/qualifiedKey.ts"
import { ConversationCommands } from "../../../services/conversations/ConversationCommands.ts"
import { Conversations } from "../../../services/conversations/Conversations.ts"
import { unpackCursor } from "../../../services/conversations/olderCursor.ts"
import { DamagedCursor } from "../../../services/sessions/SessionLists.ts"
import { routeHandlers } from "../../Api.ts"
import { gatewayTrust } from "../../gatewayTrust.ts"
import { MessageGone } from "./ConversationsApi.ts"

export const ConversationsHandlers = routeHandlers(
  "conversations",
  Effect.fn(function* (handlers) {
    const conversations = yield* Conversations
    const commands = yield* ConversationCommands
    const trusted = yield* gatewayTrust
    return handlers.handleAll({
      read: Effect.fnUntraced(function* ({ query: { sessionKey }, request }) {
        yield* trusted(request, keyParts(sessionKey).gatewayId)
        return yield* conversations.read(sessionKey)
      }),
      older: Effect.fnUntraced(function* ({ query: { before, limit, sessionKey }, request }) {
        yield* trusted(request, keyParts(sessionKey).gatewayId)
        const cursor = unpackCursor(before)
        if (cursor === undefined) return yield* new DamagedCursor()
        return yield* conversations.older(sessionKey, cursor, limit)
      }),
      message: Effect.fnUntraced(function* ({ query: { id, sessionKey }, request }) {
        yield* trusted(request, keyParts(sessionKey).gatewayId)
        const items = yield* conversations.message(sessionKey, id)
        if (items === undefined) return yield* new MessageGone()
        return { items }
      }),
      askAgain: Effect.fnUntraced(function* ({ payload, request }) {
        yield* trusted(request, keyParts(payload.sessionKey).gatewayId)
        return yield* commands.askAgain(payload)
      }),
      regenerate: Effect.fnUntraced(function* ({ payload, request }) {
        yield* trusted(request, keyParts(payload.sessionKey).gatewayId)
        return yield* commands.regenerate(payload)
      }),
      version: Effect.fnUntraced(function* ({ payload, request }) {
        yield* trusted(request, keyParts(payload.sessionKey).gatewayId)
        yield* commands.switchTo(payload)
        return { ok: true as const }
      })
    })
  })
)
