import { ChatOutbox } from "./ChatOutbox.ts"
import { Conversation } from "./Conversation.ts"
import { decodeHistory, type HistoryPage } from "./chatHistory.ts"
import type { ChatStore, OutgoingImage } from "./chatTypes.ts"
import { type Fields, fieldsOf, listOf, recordsOf, textOf } from "./decode.ts"
import type { Environment } from "./Environment.ts"
import { failureSentence } from "./GatewayCallError.ts"
import { mergePage } from "./historyMerge.ts"
import { applyAgent, type Entry, growText } from "./liveTurn.ts"
import { OlderPages, prepend } from "./OlderPages.ts"
import { FORGOTTEN, NOT_READ, withDelivery } from "./outgoing.ts"
import type { ActionResult, GatewayEventFrame, GatewayLink } from "./types.ts"

/** Messages of the first page and of a read after a turn. */
const FIRST_PAGE = 100
const TAIL_PAGE = 40
const MAX_CHARS = 200_000
/** Items that are kept while turns add to them; older ones can be loaded again. */
const MAX_ITEMS = 8_000
const SOON = 150
const GAP_DELAY = 1_000
/** The history may lag behind a turn's end: it is read again after these times. */
const SETTLE_DELAYS = [300, 1_000, 3_000]
/** A history that could not be read is asked for again after these times, and then every last one. */
const RETRY_DELAYS = [1_000, 5_000, 15_000, 60_000]

/** Reasons of `sessions.changed` after which a part of the session, or all of it, is gone. */
const CUTS: ReadonlySet<string> = new Set(["reset", "delete", "rewind"])

/** The pictures that a rewound message had. */
const editorImages = (rewound: Fields): ReadonlyArray<OutgoingImage> =>
  recordsOf(rewound.editorAttachments).flatMap(({ mimeType, data }, index) =>
    typeof mimeType === "string" && typeof data === "string"
      ? [{ mimeType, content: data, fileName: `image-${index + 1}` }]
      : []
  )

export interface ChatStoreOptions {
  readonly link: GatewayLink
  readonly env: Environment
  readonly sessionKey: string
  /** Whether the gateway lists the session as working, for the generation whose history does not say. */
  readonly isWorking: () => Promise<boolean>
}

/** One session's conversation: the gateway's history, what runs right now, and what this page is sending. */
export function createChatStore({ link, env, sessionKey, isWorking }: ChatStoreOptions): ChatStore {
  const chat = new Conversation(sessionKey, env.now, {
    onForeignTurn: () => readSoon(SOON),
    onTurnOver: () => {
      settling = 0
      void read(false)
    },
    onSilence: () => void read(true)
  })
  const outbox = new ChatOutbox(chat, link, env, read)
  const older = new OlderPages(link, sessionKey)
  let reads = 0
  let wholeNext = true
  /** The next whole page decides about everything heard before this mark, which the gateway may have forgotten. */
  let freshSince: number | null = null
  /** A fresh page lacked something that was on screen: it may be forgotten, or the history may lag behind. */
  let isDoubtful = false
  let settling = 0
  let failures = 0
  let readTimer: ReturnType<typeof setTimeout> | undefined
  let readAt = Number.POSITIVE_INFINITY

  function onEvent({ event, payload }: GatewayEventFrame): void {
    const fields = fieldsOf(payload)
    if (fields.sessionKey !== sessionKey) return
    if (event === "chat") chat.onChat(fields)
    else if (event === "agent" || event === "session.tool") chat.onAgent(fields)
    else if (event === "session.message" && !chat.isRunning && chat.turns.unsettled.size === 0) readSoon(SOON)
    else if (event === "sessions.changed" && CUTS.has(textOf(fields.reason) ?? "")) {
      startAnew()
      readSoon(SOON)
    }
  }

  /** Something of the session is gone: only what the gateway says from now on counts. */
  function startAnew(): void {
    freshSince = chat.turns.mark()
    wholeNext = true
  }

  /** A read that is due earlier stays due. */
  function readSoon(delay: number): void {
    const at = env.now() + delay
    if (at >= readAt) return
    clearTimeout(readTimer)
    readAt = at
    readTimer = setTimeout(() => void read(false), delay)
  }

  function stopReadSoon(): void {
    clearTimeout(readTimer)
    readAt = Number.POSITIVE_INFINITY
  }

  /** Reads the whole page or the end of the history; only the newest question's answer on the present link counts. */
  async function read(whole: boolean): Promise<void> {
    stopReadSoon()
    wholeNext ||= whole
    const greeting = link.hello.get()
    if (greeting === null) return
    const mine = ++reads
    const isWhole = wholeNext
    const askedAt = chat.turns.mark()
    const asked = isWhole ? FIRST_PAGE : TAIL_PAGE
    const isCurrent = () => mine === reads && greeting === link.hello.get()
    try {
      const params = { sessionKey, limit: asked, ...(greeting.protocol >= 4 ? { maxChars: MAX_CHARS } : {}) }
      const page = decodeHistory(await link.request("chat.history", params))
      const running = page.running ?? (isWhole && isCurrent() ? await isWorking() : null)
      if (isCurrent()) {
        failures = 0
        take(page, isWhole, asked, askedAt, running)
      }
    } catch (reason) {
      if (!isCurrent()) return
      if (chat.status !== "ready") {
        chat.status = "failed"
        chat.message = failureSentence(reason)
      }
      settleLater()
      // Nothing else may come that would have it read: the end of a turn is missed only once.
      readSoon(RETRY_DELAYS[Math.min(failures++, RETRY_DELAYS.length - 1)] ?? GAP_DELAY)
    }
    chat.publish()
  }

  function take(page: HistoryPage, isWhole: boolean, asked: number, askedAt: number, running: boolean | null): void {
    pickUp(page)
    if (isWhole) endMissed(page, askedAt, running)
    const since = isWhole && freshSince !== null && freshSince <= askedAt ? freshSince : null
    const isFresh = since !== null
    if (isFresh) chat.turns.doubt(since)
    const before = chat.timeline
    const isAll = page.hasMore === false || page.messageCount < asked
    const merged = mergePage(before, page, chat.turns, { isAll, isWhole, isFresh })
    if (merged === null) {
      void read(true)
      return
    }
    chat.timeline = merged
    takePending(page)
    if (isFresh) noteLosses(before)
    else if (isWhole && isDoubtful && running === false) giveBackForgotten(page)
    if (!isWhole && chat.timeline.length > MAX_ITEMS) {
      chat.timeline = chat.timeline.slice(-MAX_ITEMS)
      chat.hasOlder = true
      older.reset()
    }
    if (isWhole) {
      // A turn of before may only seem to run because another one does: the next page decides about it, too.
      if (isFresh && !chat.turns.runsFrom(since)) freshSince = null
      wholeNext = freshSince !== null
      // Older pages that were loaded stay where the page continues them.
      const first = chat.timeline.find(({ source }) => source !== null)?.source
      if (isAll || first === page.entries[0]?.source) {
        chat.hasOlder = !isAll
        older.reset()
      }
      outbox.confirm()
      if (running === true && !chat.isRunning && !page.endsLast) chat.awaitTurn()
    }
    chat.status = "ready"
    chat.message = null
    if (!chat.isRunning && page.running !== true) outbox.flush()
    settleLater()
  }

  /** A turn that began before this page was connected: what the gateway remembers of it. */
  function pickUp({ inFlight, entries }: HistoryPage): void {
    if (inFlight === null) return
    const { runId, events, startedAt } = inFlight
    const isShown = chat.timeline.some((entry) => entry.runId === runId && entry.item.kind !== "user")
    const run = chat.turnOf(runId)
    if (run === null) return
    stopReadSoon()
    run.startedAt ??= startedAt
    if (isShown) return
    for (const event of events) chat.timeline = applyAgent(chat.timeline, run, event)
    if (run.segmented) return
    // The text is that of the whole turn; segments before a tool are in the history already.
    let rest = inFlight.text.trim()
    for (const { item, runId: id } of entries)
      if (id === runId && item.kind === "assistant" && rest.startsWith(item.text.trim()))
        rest = rest.slice(item.text.trim().length).trim()
    if (rest !== "") chat.timeline = growText(chat.timeline, run, "assistant", rest, null, startedAt)
  }

  /** Ends turns whose end this page missed. One that was heard of after the question is newer than the answer. */
  function endMissed(page: HistoryPage, askedAt: number, running: boolean | null): void {
    if (running === null || (running && (page.running !== null || !page.endsLast))) return
    for (const id of [...chat.turns.active])
      if ((chat.turns.runs.get(id)?.heardAt ?? 0) < askedAt) chat.finishMissed(id)
  }

  function takePending({ pending }: HistoryPage): void {
    for (const { runId, text, at, cancelled } of pending) {
      const entry = chat.timeline.find((shown) => shown.runId === runId && shown.item.kind === "user")
      if (entry === undefined && !cancelled) outbox.adoptQueued(runId, text, at ?? env.now())
      if (entry?.source === null && cancelled)
        chat.timeline = withDelivery(chat.timeline, (item) => item === entry.item, "failed", NOT_READ)
    }
  }

  /** Notes whether a fresh page took something off the screen, or left something waiting that nobody may know of. */
  function noteLosses(before: ReadonlyArray<Entry>): void {
    const keys = new Set(chat.timeline.map(({ item }) => item.key))
    const isWaiting = ({ item }: Entry) => item.kind === "user" && item.delivery === "queued"
    const isLost = ({ item, source }: Entry) => source === null && !keys.has(item.key)
    isDoubtful = before.some(isLost) || chat.timeline.some(isWaiting)
    settling = 0
  }

  /** Messages that wait for a turn at a gateway that has neither the turn nor the message. */
  function giveBackForgotten({ pending }: HistoryPage): void {
    const waiting = new Set(pending.flatMap(({ runId, cancelled }) => (cancelled ? [] : [runId])))
    chat.timeline = withDelivery(
      chat.timeline,
      (item, { runId }) => item.delivery === "queued" && !waiting.has(runId ?? ""),
      "failed",
      FORGOTTEN
    )
  }

  /** Forgets turns the history shows in full, and reads again while it lags behind. */
  function settleLater(): void {
    const { unsettled } = chat.turns
    for (const id of unsettled)
      if (!chat.timeline.some(({ item, source, runId }) => runId === id && source === null && item.kind !== "user"))
        unsettled.delete(id)
    if (unsettled.size === 0 && !isDoubtful) return
    const delay = SETTLE_DELAYS[settling++]
    wholeNext ||= isDoubtful && delay !== undefined
    if (delay === undefined) {
      isDoubtful = false
      chat.turns.settleAll()
    } else {
      readSoon(delay)
    }
  }

  async function abort(): Promise<ActionResult> {
    if (!chat.isRunning) return { ok: false, message: "Nothing is running." }
    chat.aborting = true
    for (const id of chat.turns.active) chat.stopped.add(id)
    chat.publish()
    let sentence = "The gateway found nothing to stop."
    try {
      const answer = fieldsOf(await link.request("chat.abort", { sessionKey }))
      for (const id of listOf(answer.runIds)) {
        if (typeof id !== "string") continue
        chat.stopped.add(id)
        chat.finish(id, "aborted", "", null)
      }
      chat.stopped.clear()
      if (answer.aborted === true) return { ok: true, value: true }
      void read(true)
    } catch (reason) {
      sentence = failureSentence(reason)
    }
    chat.stopped.clear()
    chat.aborting = false
    chat.publish()
    return { ok: false, message: sentence }
  }

  async function steer(key: string): Promise<ActionResult> {
    if ((link.hello.get()?.protocol ?? 0) >= 4 && chat.isRunning) {
      outbox.release(key, true)
      return { ok: true, value: true }
    }
    chat.keepsHeld = true
    const stopped = chat.isRunning ? await abort() : null
    chat.keepsHeld = false
    if (stopped?.ok === false && chat.isRunning) return stopped
    outbox.release(key)
    return { ok: true, value: true }
  }

  async function askAgain(key: string, text?: string): Promise<ActionResult> {
    const index = chat.timeline.findIndex(({ item }) => item.key === key)
    const entry = chat.timeline[index]
    if (entry?.item.kind !== "user") return { ok: false, message: "That message is not here any more." }
    if (chat.isRunning) return { ok: false, message: "Stop the running answer first." }
    const question = { text: text ?? entry.item.text, images: outbox.imagesOf(key) }
    const canRewind = link.hello.get()?.methods.has("sessions.rewind") === true
    if (canRewind && entry.source !== null) {
      try {
        const rewound = fieldsOf(await link.request("sessions.rewind", { sessionKey, entryId: entry.source }))
        if (question.images.length === 0) question.images = editorImages(rewound)
      } catch (reason) {
        return { ok: false, message: failureSentence(reason) }
      }
      startAnew()
      const cut = chat.timeline[index] === entry ? index : chat.timeline.findIndex(({ item }) => item.key === key)
      if (cut >= 0) chat.timeline = chat.timeline.slice(0, cut)
    }
    outbox.send(question.text, question.images)
    return { ok: true, value: true }
  }

  async function loadOlder(): Promise<void> {
    if (!chat.hasOlder || chat.loadingOlder) return
    chat.loadingOlder = true
    chat.publish()
    const first = chat.timeline[0]
    const page = await older.read(chat.timeline).catch(() => null)
    // What was asked for may be gone meanwhile.
    if (page !== null && chat.timeline[0]?.source === first?.source) {
      chat.timeline = prepend(page.entries, chat.timeline)
      chat.hasOlder = page.hasMore
    }
    chat.loadingOlder = false
    chat.publish()
  }

  const stopListening = [
    link.onEvent(onEvent),
    link.onGap(() => {
      wholeNext = true
      readSoon(GAP_DELAY)
    }),
    link.hello.subscribe((greeting) => {
      if (greeting === null) return
      startAnew()
      void read(true)
    }),
    link.state.subscribe(({ phase }) => {
      if (phase === "gaveUp" || phase === "refused" || phase === "unauthorized") outbox.failAll()
    })
  ]
  void read(true)

  return {
    state: chat.state,
    send: (text, images, now) => {
      const key = outbox.send(text, images)
      if (key !== null && now === true) void steer(key)
      return key !== null
    },
    steer,
    retry: (key) => outbox.retry(key),
    takeBack: (key) => outbox.takeBack(key),
    takeHeld: () => outbox.takeHeld(),
    abort,
    askAgain,
    regenerate: async () => {
      const last = chat.timeline.findLast(({ item }) => item.kind === "user")
      if (last === undefined) return { ok: false, message: "There is no question to ask again yet." }
      return askAgain(last.item.key)
    },
    loadOlder,
    resync: () => read(true),
    onTurnEnd: (listener) => {
      chat.endListeners.add(listener)
      return () => chat.endListeners.delete(listener)
    },
    dispose: () => {
      for (const stop of stopListening) stop()
      stopReadSoon()
      reads++
      chat.dispose()
    }
  }
}
