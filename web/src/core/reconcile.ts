import type { HistoryEntry, HistoryPage } from "./chatHistory.ts"
import type { ChatItem } from "./chatTypes.ts"
import { type Entry, type Run, waits } from "./liveTurn.ts"

/** The gateway cuts longer texts in its history (about 8000 characters at the least). */
const CUT_AT = 7_000
const COMPARED = 200

const alike = (a: string, b: string): boolean => {
  const [left, right] = [a.trim(), b.trim()]
  const shared = Math.min(left.length, right.length, COMPARED)
  return left.slice(0, shared) === right.slice(0, shared)
}

/** Whether a turn's last message is in the history. */
export function isCovered(run: Run, ends: HistoryPage["ends"]): boolean {
  return ends.some(({ runId, at }) => {
    if (runId !== null) return runId === run.id
    if (at === null || run.startedAt === null || at < run.startedAt) return false
    return run.endedAt === null || at <= run.endedAt + 1_000
  })
}

/** Whether a history entry is what this page already shows from events or from its own sending. */
function isSame(stored: HistoryEntry, shown: Entry, run: Run | undefined): boolean {
  const [a, b] = [stored.item, shown.item]
  if (a.kind !== b.kind) return false
  if (a.kind === "user") return stored.runId !== null && shown.runId === stored.runId
  if (stored.runId !== null && shown.runId !== stored.runId) return false
  // Without run ids only the time tells turns apart.
  if (stored.runId === null && run?.startedAt != null && a.at !== null && a.at < run.startedAt) return false
  if (a.kind === "tool" && b.kind === "tool") return a.callId === b.callId
  return "text" in a && "text" in b ? alike(a.text, b.text) : true
}

/** A message is known by its run; without run ids, and for one that waited and got another run, by its text. */
function isSameText({ item: a }: HistoryEntry, { item: b }: Entry): boolean {
  const isSent = b.kind === "user" && b.delivery !== "failed" && b.delivery !== "held"
  return a.kind === "user" && isSent && a.text.trim() === b.text.trim()
}

/** The stored item under the shown one's key, keeping what only this page knows. */
function adopt(stored: ChatItem, shown: ChatItem, running: boolean): ChatItem {
  const { key } = shown
  if (stored.kind === "user" && shown.kind === "user")
    return { ...stored, key, images: shown.images.some((image) => image.src !== null) ? shown.images : stored.images }
  if (stored.kind === "assistant" && shown.kind === "assistant") {
    const cut = shown.text.length > stored.text.length && stored.text.length >= CUT_AT
    return { ...stored, key, text: cut && alike(shown.text, stored.text) ? shown.text : stored.text }
  }
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
  return { ...stored, key }
}

const unchanged = (a: ChatItem, b: ChatItem): boolean => JSON.stringify(a) === JSON.stringify(b)

export interface ReconcileInput {
  readonly shown: ReadonlyArray<Entry>
  readonly history: ReadonlyArray<HistoryEntry>
  /** Turns that still run. */
  readonly running: ReadonlySet<string>
  /** Turns whose items stay although the history lacks them: those that run, and those it does not hold yet. */
  readonly kept: ReadonlySet<string>
  readonly runs: ReadonlyMap<string, Run>
  /** The gateway may have forgotten what this page shows: delivered messages stay only where a kept turn has them. */
  readonly isFresh: boolean
}

/**
 * What is on screen after the history was read: the history, under the keys its items already had, and then what it
 * does not hold yet. Items that are only here stay behind the item they stood behind.
 */
export function reconcile({ shown, history, running, kept, runs, isFresh }: ReconcileInput): ReadonlyArray<Entry> {
  const bySource = new Map(shown.flatMap((entry) => (entry.source === null ? [] : [[entry.source, entry] as const])))
  const open = shown.filter((entry) => entry.source === null)
  const storedRuns = new Set(
    history.flatMap(({ item, runId }) => (item.kind === "user" && runId !== null ? [runId] : []))
  )
  const result: Array<Entry> = []

  for (const stored of history) {
    let before = bySource.get(stored.source)
    if (before === undefined) {
      const byRun = open.findIndex((entry) => isSame(stored, entry, runs.get(entry.runId ?? "")))
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
      runId: before.runId ?? stored.runId
    })
  }

  const isOwn = ({ item }: Entry) => item.kind === "user" && !(isFresh && item.delivery === "sent")
  const left = new Set(open.filter((entry) => isOwn(entry) || kept.has(entry.runId ?? "")))
  let anchor: string | null = null
  for (const entry of shown) {
    const { key } = entry.item
    const isLeft = left.has(entry)
    if (isLeft && belongsAtEnd(entry, running)) {
      result.push(entry)
    } else if (isLeft) {
      const index = result.findIndex(({ item }) => item.key === anchor)
      result.splice(index < 0 ? result.length : index + 1, 0, entry)
    }
    if (isLeft || result.some(({ item }) => item.key === key)) anchor = key
  }
  return queuedLast(result)
}

/** Running turns and what was just sent come after all history; what failed or was never stored keeps its place. */
function belongsAtEnd({ item, runId }: Entry, running: ReadonlySet<string>): boolean {
  if (item.kind === "user") return item.delivery === "sending" || waits(item) || running.has(runId ?? "")
  return running.has(runId ?? "")
}

function queuedLast(entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> {
  return [...entries.filter(({ item }) => !waits(item)), ...entries.filter(({ item }) => waits(item))]
}
