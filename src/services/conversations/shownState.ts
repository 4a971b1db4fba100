import type { Failure } from "../../contract/failure.ts"
import { MAX_ATTACHMENT_BYTES } from "../../contract/outbox.ts"
import type { ConversationHead, ConversationItem, ConversationState } from "../../contract/schema/conversation.ts"
import type { GatewayConnection } from "../gateway/client/GatewayClient.ts"
import { abilitiesOf } from "../gateway/registry/liveEntry.ts"
import { cursorBefore, withoutLoneResults } from "./olderCursor.ts"
import { shownEntry, whyOf } from "./shownItem.ts"
import { type Conversation, chatState } from "./turn/Conversation.ts"
import type { Entry, Timeline } from "./turn/timeline.ts"

/** What a conversation's head has besides what the rules know. */
export interface HeadFacts {
  readonly connection: GatewayConnection | undefined
  /** Why there's no conversation yet, although nobody refused it. */
  readonly unreached: Failure | undefined
  readonly versions: Pick<ConversationHead, "tips" | "versions">
}

const canOf = (connection: GatewayConnection | undefined): ConversationHead["can"] => {
  const { rewind, steer, versions } = abilitiesOf(connection)
  const { maxPayload } = connection ?? {}
  // Base64 makes three bytes four.
  const attach = maxPayload === undefined ? MAX_ATTACHMENT_BYTES : Math.floor((maxPayload * 3) / 4)
  return { rewind, steer, versions, attach: Math.min(MAX_ATTACHMENT_BYTES, attach) }
}

/** Makes the states that clients see; what hasn't changed is the same object as before. */
export const makeShownState = (gatewayId: string) => {
  const known = new WeakMap<Entry, ConversationItem>()
  let cursor: { readonly first: string | null; readonly text: string | undefined } | undefined

  const itemOf = (entry: Entry): ConversationItem => {
    const before = known.get(entry)
    if (before !== undefined) return before
    const item = shownEntry(gatewayId, entry)
    known.set(entry, item)
    return item
  }
  /** The cursor stays as long as the first message does: what is added later only makes it find more than it needs. */
  const olderOf = (timeline: Timeline): string | undefined => {
    const first = timeline.find(({ source }) => source !== null)?.source ?? null
    if (cursor?.first !== first) cursor = { first, text: cursorBefore(timeline) }
    return cursor.text
  }

  return (state: Conversation, { connection, unreached, versions }: HeadFacts): ConversationState => {
    const { activity, deleted, failure, hasOlder, isUnknown, linked, phase, running, aborting, status } =
      chatState(state)
    const timeline = hasOlder ? withoutLoneResults(state.timeline) : state.timeline
    const items = timeline.map(itemOf)
    const isUnreached = status === "loading" && unreached !== undefined
    const why = status === "failed" && failure !== null ? whyOf(failure) : isUnreached ? whyOf(unreached) : undefined
    const older = hasOlder ? olderOf(timeline) : undefined
    return {
      items,
      head: {
        status: isUnreached ? "failed" : status,
        ...(why === undefined ? {} : { why }),
        linked,
        deleted,
        unknown: isUnknown === true,
        activity,
        running,
        stopping: aborting,
        ...(phase === null || activity !== "THINKING" ? {} : { phase }),
        queued: items.filter((item) => item.kind === "user" && ["held", "queued"].includes(item.delivery)).length,
        ...(older === undefined ? {} : { older }),
        ...versions,
        can: canOf(connection)
      }
    }
  }
}
