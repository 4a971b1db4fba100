import { isCommand } from "../../../contract/commands.ts"
import type { Failure } from "../../../contract/failure.ts"
import type { HistoryPage } from "../history/chatHistory.ts"
import { publish } from "./activity.ts"
import { type Conversation, isRunning, type ReadPlan } from "./Conversation.ts"
import { applyAgent, growText } from "./liveTurn.ts"
import { adoptQueued } from "./outbox.ts"
import { GAP_DELAY, read, readSoon, stopReadSoon } from "./reading.ts"
import { isCovered, reconcile } from "./reconcile.ts"
import { type Entry, FORGOTTEN, NOT_READ, type Timeline, UNANSWERED, withDelivery } from "./timeline.ts"
import { awaitTurn, during, finishMissed, noteCut, withLive } from "./turnLife.ts"
import { doubted, runsFrom, settled, type Turns, unsettled } from "./turns.ts"

/** Turns whose items stay on screen although the history lacks them. */
const keptTurns = ({ active, over }: Turns, { ends }: HistoryPage): ReadonlySet<string> =>
  new Set([
    ...active.keys(),
    ...[...over].flatMap(([id, { run, standing }]) =>
      standing === "settled" || (run !== null && isCovered(run, ends)) ? [] : [id]
    )
  ])

/**
 * What is on screen after a history page. A partial page replaces everything from its first message on, or everything
 * if that message isn't on screen; only a short read of the end then returns null, so that more is read. Only running
 * turns and undelivered messages survive a fresh page that lacks them.
 */
function mergePage(
  shown: Timeline,
  page: HistoryPage,
  turns: Turns,
  { isAll, isWhole, isFresh }: { readonly isAll: boolean; readonly isWhole: boolean; readonly isFresh: boolean }
): Timeline | null {
  const first = page.entries[0]?.source
  const found = isAll ? 0 : shown.findIndex(({ source }) => source === first)
  if (found < 0 && !isWhole) return null
  const start = Math.max(0, found)
  const kept = keptTurns(turns, page)
  const fresh = reconcile({ shown: shown.slice(start), history: page.entries, turns, kept, isFresh })
  return [...shown.slice(0, start), ...fresh]
}

/** Items kept while turns add to them; older ones can be loaded again. */
const MAX_ITEMS = 8_000
/** The history may lag behind a turn's end: it is read again after these delays. */
const SETTLE_DELAYS = [300, 1_000, 3_000]
/** A history that couldn't be read is requested again after these delays; the last one repeats. */
const RETRY_DELAYS = [1_000, 5_000, 15_000, 60_000]

export interface ReadPage {
  readonly plan: ReadPlan
  readonly page: HistoryPage
  /** Whether a turn is running, null if nobody knows. */
  readonly running: boolean | null
  /** The gateway's own shutdown cut the last turn off. */
  readonly isCut: boolean
}

/** The history couldn't be read. Nothing else may arrive to trigger a read: the end of a turn is only missed once. */
export function pageFailed(state: Conversation, plan: ReadPlan, failure: Failure): Conversation {
  if (plan.id !== state.reads) return state
  const { failures } = state
  const delay = RETRY_DELAYS[Math.min(failures, RETRY_DELAYS.length - 1)] ?? GAP_DELAY
  const failed = { ...state, failures: failures + 1 }
  const next: Conversation = state.status === "ready" ? failed : { ...failed, status: "failed", failure }
  return publish(readSoon(settleLater(next), delay))
}

/** Takes over the history. */
export function pageRead(state: Conversation, answer: ReadPage): Conversation {
  const { plan, page } = answer
  if (plan.id !== state.reads) return state
  const running = state.knownIdle && page.running === null ? false : answer.running
  const known = { ...answer, running }
  const picked = pickUp({ ...state, failures: 0 }, page)
  return publish(merge(plan.isWhole ? endMissed(picked, known) : picked, known))
}

function merge(state: Conversation, answer: ReadPage): Conversation {
  const { plan, page, running } = answer
  const { isWhole, askedAt } = plan
  const since = isWhole && state.freshSince !== null && state.freshSince <= askedAt ? state.freshSince : null
  const isFresh = since !== null
  const turns = isFresh ? doubted(state.turns, since) : state.turns
  const isAll = page.hasMore === false || page.messageCount < plan.params.limit
  const timeline = mergePage(state.timeline, page, turns, { isAll, isWhole, isFresh })
  if (timeline === null) return read({ ...state, turns }, true)
  let next = takePending({ ...state, turns, timeline }, page)
  if (isFresh) next = withLosses(next, state.timeline)
  else if (isWhole && state.isDoubtful && running === false) next = givenBack(next, page)
  if (isWhole) {
    // An earlier turn may only seem to run because another one does: the next page decides about it, too.
    const freshSince = isFresh && !runsFrom(next.turns, since) ? null : next.freshSince
    next = { ...next, freshSince, wholeNext: freshSince !== null }
    // Loaded older pages stay if the page continues them.
    const first = next.timeline.find(({ source }) => source !== null)?.source
    if (isAll || first === page.entries[0]?.source) next = { ...next, hasOlder: !isAll, olderOffset: 0 }
  } else if (next.timeline.length > MAX_ITEMS) {
    next = { ...next, timeline: next.timeline.slice(-MAX_ITEMS), hasOlder: true, olderOffset: 0 }
  }
  // A session that no longer exists has neither messages nor an id.
  const isGone = page.messageCount === 0 && page.sessionId === null
  const deleted = isGone && (state.deleted || state.timeline.some(({ source }) => source !== null))
  next = { ...next, status: "ready", failure: null, deleted, isUnknown: isGone }
  if (isWhole && running === true && !isRunning(next) && !page.endsLast) next = awaitTurn(next)
  if (isRunning(next) || page.running === true) return settleLater(next)
  if (running === false) next = { ...next, timeline: withoutOpenTools(next.timeline) }
  if (answer.isCut && !page.endsLast) next = noteCut(next)
  return settleLater(next)
}

/** Nothing is running: a tool without a result was cut off. */
const withoutOpenTools = (timeline: Timeline): Timeline =>
  timeline.map((entry) =>
    entry.item.kind === "tool" && entry.item.status === "running"
      ? { ...entry, item: { ...entry.item, status: "aborted" } }
      : entry
  )

/** A turn that started before this page was connected: what the gateway remembers of it. */
function pickUp(state: Conversation, { inFlight, entries }: HistoryPage): Conversation {
  if (inFlight === null) return state
  const { runId, events } = inFlight
  const isShown = state.timeline.some((entry) => entry.runId === runId && entry.item.kind !== "user")
  return during(state, runId, (next, known) => {
    const run = { ...known, startedAt: known.startedAt ?? inFlight.startedAt }
    let live = { timeline: next.timeline, run }
    if (isShown) return stopReadSoon(withLive(next, live))
    for (const event of events) live = applyAgent(live, event)
    // The text is that of the whole turn; segments before a tool are already in the history.
    let rest = live.run.segmented ? "" : inFlight.text.trim()
    for (const { item, runId: id } of entries)
      if (id === runId && item.kind === "assistant" && rest.startsWith(item.text.trim()))
        rest = rest.slice(item.text.trim().length).trim()
    if (rest !== "") live = growText(live, "assistant", rest, null, inFlight.startedAt)
    return stopReadSoon(withLive(next, live))
  })
}

/** Of what isn't done with there, the console finds out itself. */
const isInOutbox = ({ outgoing }: Entry): boolean => outgoing?.state != null

/** Ends turns whose end this page missed. One heard of after the request is newer than the response. */
function endMissed(state: Conversation, { plan, page, running, isCut }: ReadPage): Conversation {
  if (running === null || (running && (page.running !== null || !page.endsLast))) return state
  const missed = [...state.turns.active.values()].filter(({ lastMark }) => lastMark < plan.askedAt)
  return missed.reduce((next, run) => finishMissed(next, run, isCut), state)
}

function takePending(state: Conversation, { pending }: HistoryPage): Conversation {
  let next = state
  for (const { runId, text, at, cancelled } of pending) {
    const entry = next.timeline.find((shown) => shown.runId === runId && shown.item.kind === "user")
    if (entry === undefined && !cancelled) next = adoptQueued(next, runId, text, at ?? next.now)
    if (entry?.source === null && cancelled && !isInOutbox(entry))
      next = { ...next, timeline: withDelivery(next.timeline, (item) => item === entry.item, "failed", NOT_READ) }
  }
  return next
}

/** Notes whether a fresh page removed something from the screen, or left something waiting that nobody may know of. */
function withLosses(state: Conversation, before: ReadonlyArray<Entry>): Conversation {
  const keys = new Set(state.timeline.map(({ item }) => item.key))
  const isWaiting = (entry: Entry) =>
    entry.item.kind === "user" && entry.item.delivery === "queued" && !isInOutbox(entry)
  const isLost = ({ item, source }: Entry) => source === null && !keys.has(item.key)
  return { ...state, isDoubtful: before.some(isLost) || state.timeline.some(isWaiting), settling: 0 }
}

/** Returns messages waiting for a turn at a gateway that has neither the turn nor the message. */
function givenBack(state: Conversation, { pending }: HistoryPage): Conversation {
  const waiting = new Set(pending.flatMap(({ runId, cancelled }) => (cancelled ? [] : [runId])))
  const timeline = withDelivery(
    state.timeline,
    (item, entry) => item.delivery === "queued" && !waiting.has(entry.runId ?? "") && !isInOutbox(entry),
    "failed",
    FORGOTTEN
  )
  return { ...state, timeline }
}

/** Forgets turns the history shows in full, and reads again while it lags behind. */
function settleLater(state: Conversation): Conversation {
  const open = new Set(
    state.timeline.flatMap(({ item, source, runId }) =>
      source === null && (item.kind !== "user" || item.delivery === "sent") ? [runId] : []
    )
  )
  const turns = settled(state.turns, "settled", ({ standing }, id) => standing === "unsettled" && !open.has(id))
  const { isDoubtful } = state
  const next = { ...state, turns }
  if (unsettled(turns).length === 0 && !isDoubtful) return next
  const delay = SETTLE_DELAYS[state.settling]
  const settling = state.settling + 1
  if (delay !== undefined) return readSoon({ ...next, settling, wholeNext: state.wholeNext || isDoubtful }, delay)
  const lasting = settled(turns, "lasting", ({ standing }) => standing === "unsettled")
  return { ...withUnanswered(next), settling, isDoubtful: false, turns: lasting }
}

/** Returns messages that the gateway accepted but neither answered nor stored. Commands may work silently. */
function withUnanswered(state: Conversation): Conversation {
  const answered = new Set(state.timeline.flatMap(({ item, runId }) => (item.kind === "user" ? [] : [runId])))
  const waiting = new Set(unsettled(state.turns))
  const timeline = withDelivery(
    state.timeline,
    (item, { source, runId }) =>
      source === null && waiting.has(runId ?? "") && !answered.has(runId) && !isCommand(item.text, item.images.length),
    "failed",
    UNANSWERED
  )
  return { ...state, timeline }
}
