import type { OutboxMode } from "../../../contract/outbox.ts"
import type { ChatMedia } from "../history/mediaLines.ts"
import { publish, withActivity } from "./activity.ts"
import { type Conversation, isRunning, type Sent, todo } from "./Conversation.ts"
import type { Delivery, TakenBack } from "./chatItems.ts"
import type { MessageState, OutboxMessage, OutgoingImage } from "./outgoing.ts"
import { readSoon, SOON } from "./reading.ts"
import { type Entry, isHeld, type OwnEntry, ownEntry } from "./timeline.ts"
import { during } from "./turnLife.ts"
import { closed } from "./turns.ts"

/** How much earlier than by the console's clock a message may stand in the history. */
const CLOCKS_APART_MS = 5_000

/** How a message that isn't done with is shown, unless the conversation says more. */
const DELIVERIES: Readonly<Record<MessageState, Delivery>> = {
  taking: "sending",
  away: "sending",
  waiting: "held",
  sending: "sending",
  handed: "sent",
  failed: "failed",
  unsure: "unsure"
}

/** A message that went through the outbox. */
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
function place(state: Conversation, entry: Entry): Conversation {
  const others = state.timeline.filter(({ item }) => item.key !== entry.item.key)
  const behind = isHeld(entry) ? others.length : others.length - others.filter(isHeld).length
  return { ...state, timeline: others.toSpliced(behind, 0, entry) }
}

/** Shows a message and gives it to the console, which hands it to the agent when it's its turn. */
export const send = (state: Conversation, { id, text, images, mode = "next", notBefore }: Sent): Conversation =>
  give(state, ownEntry(id, text, images, state.now), { mode, ...(notBefore === undefined ? {} : { notBefore }) })

function give(state: Conversation, own: OwnEntry, how: Pick<Sent, "notBefore"> & { readonly mode: OutboxMode }) {
  const { sessionKey, now: at } = state
  const { id, images } = own.outgoing
  const shown = place(
    { ...state, deleted: false, isUnknown: false },
    { ...own, outgoing: { id, images, state: "taking" }, item: { ...own.item, delivery: "sending", error: null } }
  )
  const goes = state.link !== null && how.notBefore === undefined && !isRunning(state) && !state.timeline.some(isHeld)
  const message = { id, sessionKey, text: own.item.text, images, at, ...how }
  return todo(publish(goes ? withActivity(shown, "THINKING") : shown), { type: "hand", message })
}

/** Sends a failed message again. */
export function retry(state: Conversation, key: string, id: string): Conversation {
  const own = ownOf(state, key)
  if (own?.item.delivery !== "failed") return state
  const { outgoing } = own
  if (outgoing.state === "failed") return todo(state, { type: "again", id: outgoing.id })
  // The console knows the id of what it's done with, and wouldn't send that again.
  return give(state, { ...own, runId: id, outgoing: { ...outgoing, id } }, { mode: "next" })
}

/** Takes over the messages of the session that aren't done with, and says what they wait for. */
export function withOutbox(state: Conversation, outbox: ReadonlyArray<OutboxMessage>): Conversation {
  const there = new Map(outbox.map(({ id }, index) => [id, index]))
  const gone = state.timeline.filter(({ outgoing }) => outgoing?.state != null && !there.has(outgoing.id))
  const known = gone.reduce(ended, { ...state, outbox })
  // A message that was handed over and left the screen since is no longer in the history; the console finds out why.
  const handed = new Set(state.outbox.flatMap((message) => (message.state === "handed" ? [message.id] : [])))
  const updated = outbox.reduce((next, message, index) => take(next, message, index, handed), known)
  const placeOf = ({ outgoing }: Entry) => there.get(outgoing?.id ?? "") ?? outbox.length
  const held = updated.timeline.filter(isHeld).toSorted((a, b) => placeOf(a) - placeOf(b))
  const timeline = [...updated.timeline.filter((entry) => !isHeld(entry)), ...held]
  const next = { ...updated, timeline }
  const isGoing = isRunning(next) || timeline.some(({ item }) => item.kind === "user" && item.delivery === "sending")
  if (!isGoing) return next.activity === "THINKING" ? withActivity(next, "IDLE") : next
  return !isRunning(next) && next.link !== null && timeline.some(isSentNow) ? withActivity(next, "THINKING") : next
}

/** Whether the console is giving a message to the gateway, which begins a turn with it. */
const isSentNow = ({ item, outgoing }: Entry): boolean =>
  item.kind === "user" &&
  item.delivery === "sending" &&
  (outgoing?.state === "sending" || outgoing?.state === "waiting")

const hasBegun = ({ turns }: Conversation, { source, runId }: Entry): boolean =>
  source !== null || turns.active.has(runId ?? "") || turns.over.has(runId ?? "")

/** What its own turn told of a message counts more than what the outbox still says. */
const hasFailed = ({ turns }: Conversation, { item, runId }: Entry): boolean =>
  item.kind === "user" && item.delivery === "failed" && turns.over.has(runId ?? "")

/** The console is done with a message: the agent has it, or somebody took it back. The history knows. */
function ended(state: Conversation, entry: Entry): Conversation {
  const { item, outgoing } = entry
  if (item.kind !== "user" || outgoing === undefined) return state
  const begun = hasBegun(state, entry)
  const delivery = hasFailed(state, entry) ? "failed" : "sent"
  const isHanded = outgoing.state === "handed" || outgoing.state === "sending"
  const { waits: _, isHanded: __, ...plain } = item
  const sent = {
    ...entry,
    outgoing: { ...outgoing, state: null },
    item: { ...plain, delivery, error: delivery === "sent" ? null : item.error }
  } as const
  const timeline = state.timeline.flatMap((other) => (other !== entry ? [other] : begun || isHanded ? [sent] : []))
  return begun ? { ...state, timeline } : readSoon({ ...state, timeline }, SOON)
}

/** Whether a message goes at once, as far as this page knows. */
const goesNow = (
  { link, outbox, status, turns }: Conversation,
  { error, notBefore, state }: OutboxMessage,
  index: number
): boolean =>
  state === "waiting" &&
  error === null &&
  status === "ready" &&
  link !== null &&
  turns.active.size === 0 &&
  notBefore === null &&
  outbox.slice(0, index).every((other) => ["failed", "handed"].includes(other.state) || other.notBefore !== null)

function take(state: Conversation, message: OutboxMessage, index: number, handed: ReadonlySet<string>): Conversation {
  const found = state.timeline.find(
    ({ item, runId, outgoing }) => item.kind === "user" && (outgoing?.id === message.id || runId === message.runId)
  )
  if (found === undefined && message.state === "handed" && handed.has(message.id)) return state
  // A message whose turn is running has arrived, whatever a late answer says.
  if (message.state === "handed" || state.turns.active.has(message.runId)) return takeHanded(state, message, found)
  return shown(state, message, found, goesNow(state, message, index) ? "sending" : DELIVERIES[message.state])
}

/** The gateway has a message: it starts a turn, or waits for the running one. */
function takeHanded(state: Conversation, message: OutboxMessage, found: Entry | undefined): Conversation {
  const { runId } = message
  // An older gateway's history has it under no id.
  const isWritten = ({ item, source }: Entry) =>
    item.kind === "user" &&
    source !== null &&
    item.text.trim() === message.text.trim() &&
    (item.at ?? 0) >= message.at - CLOCKS_APART_MS
  if (found === undefined && state.timeline.some(isWritten)) return state
  if (found !== undefined && hasFailed(state, found)) return state
  const delivery = found?.item.kind === "user" && found.item.delivery === "queued" ? "queued" : "sent"
  // The running response reads it; any other message waits for its end.
  const isSteered = message.mode === "steer"
  if (found !== undefined && (found.outgoing?.state === "handed" || hasBegun(state, { ...found, runId })))
    return shown(state, message, found, delivery, delivery === "queued" ? isSteered : undefined)
  const others = [...state.turns.active.keys()].some((id) => id !== runId)
  const next = shown(state, message, found, others ? "queued" : "sent", !others || isSteered)
  return others || state.status !== "ready" ? next : during(next, runId)
}

/** Shows a message as the outbox has it. */
function shown(
  state: Conversation,
  { id, runId, text, at, error, files, held, mode, notBefore, position, state: stands }: OutboxMessage,
  found: Entry | undefined,
  delivery: Delivery,
  isHanded?: boolean
): Conversation {
  const fresh = ownEntry(id, text, [], at)
  const before = found?.item.kind === "user" ? found.item : null
  const media = files.map(
    ({ name, type }, index): ChatMedia => ({
      name,
      src: `/api/outbox/${id}/attachments/${index}`,
      ...(type.startsWith("image/") ? {} : { kind: "file" })
    })
  )
  const { waits: _, isHanded: was, ...plain } = before ?? { ...fresh.item, images: media }
  const waits = { id, mode, notBefore, position, state: stands, ...(held === undefined ? {} : { held }) }
  const marks = {
    ...((isHanded ?? (stands === "handed" && was === true)) ? { isHanded: true as const } : {}),
    ...(delivery === "sent" || delivery === "queued" ? {} : { waits })
  }
  // The history's words are the ones that the agent has.
  const words = found?.source == null ? { text } : {}
  const item = { ...plain, ...words, ...marks, delivery, error }
  const isSame = before !== null && JSON.stringify(before) === JSON.stringify(item)
  const entry: OwnEntry = {
    item: isSame ? before : item,
    source: found?.source ?? null,
    runId,
    outgoing: { id, images: found?.outgoing?.images ?? [], state: stands }
  }
  // A message on its way makes the session anew; one that was given back doesn't.
  const isComing = delivery !== "failed" && delivery !== "unsure"
  if (found === undefined) return place(isComing ? { ...state, deleted: false, isUnknown: false } : state, entry)
  if (isHeld(found) !== isHeld(entry)) return place(state, entry)
  return { ...state, timeline: state.timeline.map((other) => (other === found ? entry : other)) }
}

interface WantedBack {
  /** Its id, if the outbox has it. */
  readonly id: string | null
  readonly message: TakenBack
  /** The pictures were attached on another page: the console has them. */
  readonly isElsewhere: boolean
}

/** What `takeBack` removes from the screen; null for a message that is on its way. */
export function takenBack({ timeline }: Conversation, key: string): WantedBack | null {
  const { item, outgoing } = timeline.find((entry) => entry.item.key === key) ?? {}
  if (item?.kind !== "user" || !["failed", "held", "unsure"].includes(item.delivery)) return null
  const id = outgoing?.state == null ? null : outgoing.id
  const images = outgoing?.images ?? []
  return { id, message: { text: item.text, images }, isElsewhere: item.images.length > images.length }
}

/** Removes messages from the screen. */
export const takeBack = (state: Conversation, keys: ReadonlyArray<string>): Conversation =>
  publish({ ...state, timeline: state.timeline.filter(({ item }) => !keys.includes(item.key)) })

/** Shows a message waiting at the gateway, which another client sent. */
export function adoptQueued(state: Conversation, runId: string, text: string, at: number): Conversation {
  const { item, ...entry } = ownEntry(runId, text, [], at)
  const next = place(state, { ...entry, item: { ...item, delivery: "queued" } })
  return { ...next, turns: closed(next.turns, runId) }
}
