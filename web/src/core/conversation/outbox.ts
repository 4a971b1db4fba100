import { isCommand, isForResponse } from "../../../../src/contract/commands.ts"
import { type Fields, textOf } from "../common/decode.ts"
import type { GatewayCallFailure } from "../link/GatewayCallError.ts"
import { publish, withActivity } from "./activity.ts"
import { type Conversation, isRunning, todo } from "./Conversation.ts"
import type { OutgoingImage, TakenBack, UserItem } from "./chatTypes.ts"
import { FORGOTTEN, NOT_CONFIRMED, NOT_CONNECTED, type OwnEntry, ownEntry } from "./outgoing.ts"
import { read } from "./reading.ts"
import { type Entry, isHeld, waits, withDelivery } from "./timeline.ts"
import { during } from "./turnLife.ts"
import { closed } from "./turns.ts"

const SEND_LIMIT = 30_000

/** A message that this page is sending or has sent. */
function ownOf({ timeline }: Conversation, key: string): OwnEntry | null {
  const { item, source, runId, outgoing } = timeline.find((entry) => entry.item.key === key) ?? {}
  return item?.kind !== "user" || source === undefined || runId == null || outgoing === undefined
    ? null
    : { item, source, runId, outgoing }
}

/** The pictures in a message this page sent. */
export const imagesOf = (state: Conversation, key: string): ReadonlyArray<OutgoingImage> =>
  ownOf(state, key)?.outgoing.images ?? []

/** Puts a message on screen, after everything that isn't held; a held one goes last. */
function place(state: Conversation, entry: OwnEntry): Conversation {
  const others = state.timeline.filter(({ item }) => item.key !== entry.item.key)
  const behind = isHeld(entry) ? others.length : others.length - others.filter(isHeld).length
  return { ...state, timeline: others.toSpliced(behind, 0, entry) }
}

const isPending = ({ delivery }: UserItem): boolean => delivery === "sending" || delivery === "queued"

/** A message whose turn was heard of is delivered, whatever a late response says: it stays `sent`. */
const failed = (
  state: Conversation,
  which: (item: UserItem, entry: Entry) => boolean,
  sentence: string
): Conversation => ({
  ...state,
  timeline: withDelivery(state.timeline, (item, entry) => isPending(item) && which(item, entry), "failed", sentence)
})

const isCommandItem = ({ text, images }: UserItem): boolean => isCommand(text, images.length)

const isSending = ({ delivery }: UserItem): boolean => delivery === "sending"

const isAnyUser = ({ timeline }: Conversation, which: (item: UserItem) => boolean): boolean =>
  timeline.some(({ item }) => item.kind === "user" && which(item))

/**
 * Whether the gateway takes a message at any time: what the running response waits for can't wait for it, and an older
 * gateway answers commands meanwhile.
 */
const isFree = ({ link }: Conversation, item: UserItem): boolean =>
  isCommandItem(item) && (isForResponse(item.text) || (link !== null && link.protocol < 4))

/**
 * Whether a message has to wait even if it's wanted now: a newer gateway fails a turn that is starting or running when
 * a command comes in between.
 */
export function mustWait(state: Conversation, item: UserItem): boolean {
  if (isFree(state, item)) return false
  if (isCommandItem(item)) return isRunning(state) || isAnyUser(state, isPending)
  return (state.link?.protocol ?? 0) >= 4 && isAnyUser(state, (other) => isSending(other) && isCommandItem(other))
}

const hold = (state: Conversation, entry: OwnEntry): Conversation =>
  publish(place(state, { ...entry, item: { ...entry.item, delivery: "held", error: null } }))

/** Sends a message, or holds it until the running turn and everything already waiting are done. */
export function send(
  state: Conversation,
  id: string,
  text: string,
  images: ReadonlyArray<OutgoingImage>
): Conversation {
  const entry = ownEntry(id, text, images, state.now)
  const waits = isRunning(state) || state.timeline.some(isHeld)
  return (waits && !isFree(state, entry.item)) || mustWait(state, entry.item)
    ? hold(state, entry)
    : deliver(state, entry)
}

/**
 * Sends the oldest held message, now that no turn is running. A session cleared in the meantime returns all of them.
 */
export function flush(state: Conversation): Conversation {
  const { timeline } = state
  const next = timeline.find(isHeld)
  if (next?.item.kind !== "user" || isRunning(state) || state.keepsHeld || isAnyUser(state, isSending)) return state
  // What waits at the gateway may begin at any moment.
  if (state.link === null || mustWait(state, next.item)) return state
  if (!timeline.every(({ item }) => waits(item))) return release(state, next.item.key)
  return { ...state, timeline: withDelivery(timeline, (item) => item.delivery === "held", "failed", FORGOTTEN) }
}

/** Sends a held message now; `steer` hands it to the running turn. */
export function release(state: Conversation, key: string, steer = false): Conversation {
  const entry = ownOf(state, key)
  return entry !== null && isHeld(entry) ? deliver(state, entry, steer) : state
}

function deliver(state: Conversation, { item: whole, ...entry }: OwnEntry, steer = false): Conversation {
  const { isHanded: _, ...item } = whole
  const { key, text } = item
  const { runId, outgoing } = entry
  const shown = place(
    { ...state, deleted: false, isUnknown: false },
    {
      ...entry,
      item: { ...item, delivery: "sending", error: null, ...(steer ? { isHanded: true } : {}) }
    }
  )
  if (state.link === null) return publish(failed(shown, (other) => other.key === key, NOT_CONNECTED))
  const attachments = outgoing.images.map((image) => ({ type: "image", ...image }))
  const params = {
    sessionKey: state.sessionKey,
    message: text,
    idempotencyKey: runId,
    ...(steer ? { queueMode: "steer" } : {}),
    ...(attachments.length > 0 ? { attachments } : {})
  }
  const to = { of: "send", key, runId } as const
  const next = publish(isRunning(state) ? shown : withActivity(shown, "THINKING"))
  return todo(next, { type: "request", method: "chat.send", params, timeoutMs: SEND_LIMIT, to })
}

/** The gateway accepted the message: it starts a turn, or waits for the running one. */
export function accepted(state: Conversation, runId: string, answer: Fields): Conversation {
  if (state.turns.over.has(runId)) return publish(state)
  const others = [...state.turns.active.keys()].some((id) => id !== runId)
  const next = textOf(answer.status) === "ok" ? read(state, false) : others ? state : during(state, runId)
  const isSending = (item: UserItem, entry: Entry) => entry.runId === runId && item.delivery === "sending"
  return publish({ ...next, timeline: withDelivery(next.timeline, isSending, others ? "queued" : "sent") })
}

/** The gateway refused the message, or nobody knows whether it has it. */
export function notAccepted(
  state: Conversation,
  key: string,
  kind: GatewayCallFailure,
  sentence: string
): Conversation {
  const unsure = kind === "disconnected" || kind === "timeout"
  const timeline = state.timeline.map((entry) =>
    entry.item.key === key && entry.outgoing !== undefined
      ? { ...entry, outgoing: { ...entry.outgoing, unsure, refused: kind === "refused" } }
      : entry
  )
  let next: Conversation = { ...state, timeline }
  if (!isRunning(next)) next = withActivity(next, "IDLE")
  // What waited for this one has nothing else to wait for.
  if (!unsure) next = flush(failed(next, (item) => item.key === key, sentence))
  return publish(kind === "timeout" ? read(next, true) : next)
}

/** Sends a failed message again. */
export function retry(state: Conversation, key: string, id: string): Conversation {
  const entry = ownOf(state, key)
  if (entry?.item.delivery !== "failed") return state
  // The gateway remembers its responses by key: one that was refused or cancelled needs another key, one of
  // unknown fate keeps its own, so that it cannot run twice.
  const { runId, outgoing } = entry
  const next = outgoing.refused || state.turns.over.has(runId) ? id : runId
  const again = { ...entry, runId: next, outgoing: { ...outgoing, unsure: false, refused: false } }
  return mustWait(state, entry.item) ? hold(state, again) : deliver(state, again)
}

/** What `takeBack` removes from the screen; null for a message being sent or delivered. */
export function takenBack({ timeline }: Conversation, key: string): TakenBack | null {
  const { item, outgoing } = timeline.find((entry) => entry.item.key === key) ?? {}
  if (item?.kind !== "user" || !["failed", "held"].includes(item.delivery)) return null
  return { text: item.text, images: outgoing?.images ?? [] }
}

/** Moves messages from the screen to the composer. */
export const takeBack = (state: Conversation, keys: ReadonlyArray<string>): Conversation =>
  publish({ ...state, timeline: state.timeline.filter(({ item }) => !keys.includes(item.key)) })

/** Shows a message waiting at the gateway, sent before this page was loaded. */
export function adoptQueued(state: Conversation, runId: string, text: string, at: number): Conversation {
  const { item, ...entry } = ownEntry(runId, text, [], at)
  const shown = place(state, { ...entry, item: { ...item, delivery: "queued" } })
  return { ...shown, turns: closed(shown.turns, runId) }
}

/** After the whole history was read: it decides about messages whose sending was interrupted. */
export const confirm = (state: Conversation): Conversation =>
  failed(state, (_, { source, outgoing }) => source === null && outgoing?.unsure === true, NOT_CONFIRMED)

/** The link won't come back by itself. */
export const failAll = (state: Conversation): Conversation => publish(failed(state, () => true, NOT_CONFIRMED))
