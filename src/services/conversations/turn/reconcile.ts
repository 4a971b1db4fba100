import type { HistoryEntry, HistoryPage } from "../history/chatHistory.ts"
import { withoutMediaLines } from "../history/mediaLines.ts"
import type { AssistantItem, ChatItem, UserItem } from "./chatItems.ts"
import { type Entry, isHeld, waits } from "./timeline.ts"
import { type Run, runOf, type Turns } from "./turns.ts"

const COMPARED = 200
/** Enough text to compare what remains without the lines that send files. */
const LOOKED_AT = 5_000

const start = (text: string): string => withoutMediaLines(text.slice(0, LOOKED_AT)).trim()

/** Whether two texts start the same, ignoring lines that send files: one generation only keeps them in its history. */
function beginsAlike(a: string, b: string): boolean {
  const [left, right] = [start(a), start(b)]
  const shared = Math.min(left.length, right.length, COMPARED)
  return left.slice(0, shared) === right.slice(0, shared)
}

/** The history's text, or the words on screen if those in the history are cut. */
function withSeenWords<Item extends AssistantItem | UserItem>(stored: Item, shown: Item): Item {
  const hasMore = stored.isCut === true && shown.text.length > stored.text.length
  return hasMore && beginsAlike(shown.text, stored.text) ? { ...stored, text: shown.text, isCut: shown.isCut } : stored
}

/** Whether a turn's last message is in the history. */
export function isCovered(run: Run, ends: HistoryPage["ends"]): boolean {
  return ends.some(({ runId, at }) => {
    if (runId !== null) return runId === run.id
    if (at === null || run.startedAt === null || at < run.startedAt) return false
    return run.endedAt === null || at <= run.endedAt + 1_000
  })
}

/** Whether a history entry is what this page already shows from events or its own sending. */
function isSame(stored: HistoryEntry, shown: Entry, run: Run | undefined): boolean {
  const [a, b] = [stored.item, shown.item]
  if (a.kind !== b.kind) return false
  if (a.kind === "user") return stored.runId !== null && shown.runId === stored.runId
  if (stored.runId !== null && shown.runId !== stored.runId) return false
  // Without run ids only the time tells turns apart.
  if (stored.runId === null && run?.startedAt != null && a.at !== null && a.at < run.startedAt) return false
  if (a.kind === "tool" && b.kind === "tool") return a.callId === b.callId
  return "text" in a && "text" in b ? beginsAlike(a.text, b.text) : true
}

/** A message is identified by its run; without run ids, and for one that waited and got another run, by its text. */
function isSameText({ item: a }: HistoryEntry, { item: b }: Entry): boolean {
  const isSent = b.kind === "user" && !["failed", "held", "unsure"].includes(b.delivery)
  return a.kind === "user" && isSent && a.text.trim() === b.text.trim()
}

/** The stored item under the shown one's key, keeping what only this page knows. */
function adopt(stored: ChatItem, shown: ChatItem, running: boolean): ChatItem {
  const { key } = shown
  if (stored.kind === "user" && shown.kind === "user")
    return {
      ...withSeenWords(stored, shown),
      key,
      // What this page attached is here already; from elsewhere it goes with the message's place in the queue.
      images: shown.images.some(({ src }) => src?.startsWith("data:") === true) ? shown.images : stored.images
    }
  if (stored.kind === "assistant" && shown.kind === "assistant") return { ...withSeenWords(stored, shown), key }
  if (stored.kind === "tool" && shown.kind === "tool") {
    // The events may be ahead of the history.
    if (stored.status === "running" && (running || shown.status !== "running")) return shown
    return {
      ...stored,
      key,
      title: stored.title ?? shown.title,
      output: stored.output || shown.output,
      startedAt: shown.startedAt ?? stored.startedAt,
      durationMs: stored.durationMs ?? shown.durationMs
    }
  }
  // The event of a failure says more than what is stored of it.
  return stored.kind === "error" && shown.kind === "error" ? shown : { ...stored, key }
}

const unchanged = (a: ChatItem, b: ChatItem): boolean => JSON.stringify(a) === JSON.stringify(b)

export interface ReconcileInput {
  readonly shown: ReadonlyArray<Entry>
  readonly history: ReadonlyArray<HistoryEntry>
  readonly turns: Turns
  /** Turns whose items stay although the history lacks them: running ones, and those it doesn't hold yet. */
  readonly kept: ReadonlySet<string>
  /** The gateway may have forgotten what this page shows: delivered messages only stay if a kept turn has them. */
  readonly isFresh: boolean
}

/**
 * What is on screen after the history was read: the history, under the keys its items already had, and then what it
 * doesn't hold yet. Items that are only here stay after the item they were after.
 */
export function reconcile({ shown, history, turns, kept, isFresh }: ReconcileInput): ReadonlyArray<Entry> {
  const running = turns.active
  const bySource = new Map(shown.flatMap((entry) => (entry.source === null ? [] : [[entry.source, entry] as const])))
  const open = shown.filter((entry) => entry.source === null)
  const storedRuns = new Set(
    history.flatMap(({ item, runId }) => (item.kind === "user" && runId !== null ? [runId] : []))
  )
  const result: Array<Entry> = []

  for (const stored of history) {
    let before = bySource.get(stored.source)
    if (before === undefined) {
      const byRun = open.findIndex((entry) => isSame(stored, entry, runOf(turns, entry.runId)))
      const byText = (entry: Entry) => isSameText(stored, entry) && !storedRuns.has(entry.runId ?? "")
      const index = byRun >= 0 ? byRun : open.findIndex(byText)
      if (index >= 0) before = open.splice(index, 1)[0]
    }
    if (before === undefined) {
      result.push({ item: stored.item, source: stored.source, runId: stored.runId })
      continue
    }
    const item = adopt(stored.item, before.item, running.has(before.runId ?? ""))
    result.push({
      item: unchanged(item, before.item) ? before.item : item,
      source: stored.source,
      runId: before.runId ?? stored.runId,
      outgoing: before.outgoing
    })
  }

  // Some gateways keep a failure without its question.
  const failed = new Set(result.map(({ item, runId }) => item.kind === "error" && runId))
  const isOwn = ({ item, runId }: Entry) =>
    item.kind === "user" &&
    (!isFresh || item.delivery !== "sent" || item.isHanded === true || (runId !== null && failed.has(runId)))
  // Some gateways forget a tool that was stopped.
  const isCut = ({ item }: Entry) => item.kind === "tool" && item.status === "aborted" && !isFresh
  const left = new Set(open.filter((entry) => isOwn(entry) || isCut(entry) || kept.has(entry.runId ?? "")))
  const there = new Set(result.map(({ item }) => item.key))
  const placeOf = (key: string) => result.findIndex(({ item }) => item.key === key)
  let anchor: string | null = null
  shown.forEach((entry, index) => {
    const { key } = entry.item
    const isLeft = left.has(entry)
    if (isLeft && belongsAtEnd(entry, running)) {
      result.push(entry)
    } else if (isLeft && anchor !== null) {
      result.splice(placeOf(anchor) + 1, 0, entry)
    } else if (isLeft) {
      // What came before everything else stays there.
      const next = shown.slice(index).find(({ item }) => there.has(item.key))
      result.splice(next === undefined ? result.length : placeOf(next.item.key), 0, entry)
    }
    if (isLeft) there.add(key)
    if (there.has(key)) anchor = key
  })
  return queuedLast(result)
}

/** Running turns and what was just sent come after all history; what failed or was never stored keeps its place. */
function belongsAtEnd({ item, runId }: Entry, running: Turns["active"]): boolean {
  if (item.kind === "user") return item.delivery === "sending" || waits(item) || running.has(runId ?? "")
  return running.has(runId ?? "")
}

function queuedLast(entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> {
  const isLast = (entry: Entry) => waits(entry.item) || isHeld(entry)
  return [...entries.filter((entry) => !isLast(entry)), ...entries.filter(isLast)]
}
