import { createHash } from "node:crypto"
import type { InboxKind } from "../../contract/inbox.ts"
import type { InboxItem } from "../../contract/schema/inbox.ts"
import type { PushSubscription } from "../../contract/schema/push.ts"
import { markUnseen } from "../../contract/unseenCharacters.ts"
import { MAX_PAYLOAD } from "./encryptPush.ts"

/** The device's choice of content. */
export type Discretion = Pick<PushSubscription, "private" | "directAllow">

/** What can be done from a notification. */
interface PushAction {
  /** The action's id, as in the inbox. */
  readonly id: string
  readonly label: string
  /** The button opens the page, where it's decided; otherwise it acts at once. */
  readonly opens?: boolean
}

/** What a push message carries, as JSON. Without a title the notification of this id is taken away. */
interface PushPayload {
  /** The inbox item's. */
  readonly id: string
  readonly kind: InboxKind | "test"
  readonly title?: string
  readonly body?: string
  /** Where a click leads, a path of the console. */
  /** The path on the console's host. */
  readonly url?: string
  readonly actions: ReadonlyArray<PushAction>
}

/** A payload with its delivery options. */
export interface PushMessage {
  readonly payload: PushPayload
  /** A later message of the same topic replaces one that the push service still has. */
  readonly topic: string
  /** Seconds for which the push service stores it for an offline device. */
  readonly ttl: number
  readonly urgency: "high" | "normal"
}

const DAY_S = 24 * 60 * 60
const LONGEST_TTL = 7 * DAY_S

/** The texts of private notifications. */
const DISCREET: Readonly<Record<InboxKind, { readonly title: string; readonly body: string }>> = {
  approval: { title: "Approval needed", body: "An agent is waiting for your permission." },
  question: { title: "Question", body: "An agent is waiting for your answer." },
  proposal: { title: "Proposal", body: "An agent suggests a change to the board." },
  review: { title: "Ready for review", body: "A task is waiting for your review." },
  failed: { title: "Something failed", body: "A run or a scheduled job has failed." },
  pairing: { title: "New device", body: "A device wants to connect to the gateway." },
  budget: { title: "Budget", body: "A budget needs your attention." },
  blocked: { title: "Blocked", body: "A card that starts by itself can't any more." }
}

/** The kinds that need a person at once. */
export const isUrgent = (kind: InboxKind): boolean => kind === "approval" || kind === "question" || kind === "budget"

/** A text of at most this many characters, without splitting one. */
const cut = (text: string, length: number): string =>
  text.length <= length
    ? text
    : `${text
        .slice(0, length - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, "")}…`

/** What can be decided about a budget without the page. */
const PAUSING: ReadonlySet<string> = new Set(["finish", "keep", "dismiss"])

const actionsOf = (item: InboxItem, { directAllow }: Discretion): ReadonlyArray<PushAction> => {
  const offers = (id: string) => item.actions.some((action) => action.id === id)
  if (item.kind === "approval") {
    return [
      ...(offers("allow-once") ? [{ id: "allow-once", label: "Allow", ...(directAllow ? {} : { opens: true }) }] : []),
      ...(offers("deny") ? [{ id: "deny", label: "Deny" }] : [])
    ]
  }
  if (item.kind === "question") {
    return [
      ...(offers("answer") ? [{ id: "answer", label: "Answer", opens: true }] : []),
      ...(offers("skip") ? [{ id: "skip", label: "Skip" }] : [])
    ]
  }
  // What costs more money is decided in the page.
  if (item.kind === "budget")
    return item.actions.filter(({ id }) => PAUSING.has(id)).map(({ id, label }) => ({ id, label }))
  return []
}

const LONGEST_TITLE = 120
const LONGEST_BODY = 1_000

/** Returns the payload for an item, with its texts cut to fit into a push message. */
export const itemPayload = (item: InboxItem, discretion: Discretion, basePath = ""): PushPayload => {
  const { title, body } = DISCREET[item.kind]
  const seen = (text: string) => markUnseen(text, item.kind === "approval" ? "exact" : "prose")
  const texts = discretion.private
    ? { title, body }
    : { title: cut(seen(item.title), LONGEST_TITLE), body: cut(seen(item.detail ?? body), LONGEST_BODY) }
  const payload = {
    id: item.id,
    kind: item.kind,
    ...texts,
    url: `${basePath}/inbox/${encodeURIComponent(item.id)}`,
    actions: actionsOf(item, discretion)
  }
  const over = payloadBytes(payload).length - MAX_PAYLOAD
  if (over <= 0) return payload
  // Each character takes a byte at least, and the dots at the end take three.
  return { ...payload, body: cut(payload.body, Math.max(1, payload.body.length - over - 2)) }
}

/** The serialised payload. */
export const payloadBytes = (payload: PushPayload): Buffer => Buffer.from(JSON.stringify(payload))

/** A topic of 32 characters for an item, the maximum of RFC 8030 §5.4. */
export const topicOf = (id: string): string => createHash("sha256").update(id).digest("base64url").slice(0, 32)

/** Returns the message for a new item. */
export const openedMessage = (item: InboxItem, discretion: Discretion, now: number, basePath = ""): PushMessage => ({
  payload: itemPayload(item, discretion, basePath),
  topic: topicOf(item.id),
  ttl:
    item.expiresAt === undefined
      ? LONGEST_TTL
      : Math.min(LONGEST_TTL, Math.max(1, Math.ceil((item.expiresAt - now) / 1000))),
  urgency: isUrgent(item.kind) ? "high" : "normal"
})

/** Returns the message that withdraws an item's notification. */
export const endedMessage = (item: Pick<InboxItem, "id" | "kind">): PushMessage => ({
  payload: { id: item.id, kind: item.kind, actions: [] },
  topic: topicOf(item.id),
  ttl: LONGEST_TTL,
  urgency: "normal"
})

/** Returns the test message. */
export const testMessage = (label: string, basePath = ""): PushMessage => ({
  payload: {
    id: "test",
    kind: "test",
    title: "Notifications work",
    body: `Agent Console can reach ${label}.`,
    url: `${basePath}/settings/notifications`,
    actions: []
  },
  topic: topicOf("test"),
  ttl: 60,
  urgency: "high"
})
