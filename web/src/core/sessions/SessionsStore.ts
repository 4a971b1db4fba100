import { type Fields, fieldsOf, filledText, listOf, numberOf, recordOf, textOf } from "../common/decode.ts"
import { createObservable } from "../common/Observable.ts"
import type { ActionResult, Readable } from "../common/readable.ts"
import { contentText } from "../conversation/toolText.ts"
import { wasCutOff } from "../conversation/wasCutOff.ts"
import type { Environment } from "../link/Environment.ts"
import { failureSentence } from "../link/GatewayCallError.ts"
import type { GatewayEventFrame, GatewayLink } from "../link/linkTypes.ts"
import { createFirstWords } from "./FirstWords.ts"
import type { ClaimedRun, RunCheck } from "./RunCheck.ts"
import { createSessionMarks } from "./SessionMarks.ts"
import { changedRow, claimedRunOf, endOf, isUntitled, parentOf, sessionRow, sessionTree } from "./sessionRows.ts"
import type { SessionRow, SessionsState, SessionsStore } from "./sessionTypes.ts"

const ACTIVE_KEY = "agent-console:active-session"
/** Sessions of the first read; `readMore` doubles it. */
const FIRST_ROWS = 200
/** Sessions that get a title before more are requested. */
const FIRST_TITLES = 60
/** Characters of a last message that are kept. */
const MAX_PREVIEW = 400
const REFRESH_DELAY = 400

interface SessionsOptions {
  /** The sessions whose agents wait for a person. */
  readonly waiting: Readable<ReadonlySet<string>>
  /** When each session's newest request was made that nobody allowed. */
  readonly denied?: Readable<ReadonlyMap<string, number>>
  /** Where a session is asked for: that of another gateway, whose rows are shown with these, is asked for there. */
  readonly linkOf?: (key: string) => GatewayLink
}

/** A gateway's sessions, kept current by its events; what was read is remembered in this browser. */
export function createSessionsStore(
  link: GatewayLink,
  env: Environment,
  { waiting: waitingKeys, denied = createObservable(new Map()), linkOf = () => link }: SessionsOptions
): SessionsStore {
  const rows = new Map<string, Fields>()
  const hidden = new Set<string>()
  const state = createObservable<SessionsState>({
    status: "loading",
    message: null,
    rows: [],
    tree: [],
    unreadCount: 0,
    hasMore: false
  })
  const activeKey = createObservable(env.storage.getItem(ACTIVE_KEY) ?? "agent:main:main")
  let mainKey = "agent:main:main"
  const isVisible = createObservable(true)
  let others: ReadonlyArray<SessionRow> = []
  let othersHaveMore = false
  let reading: Promise<void> | null = null
  let changedWhileReading = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let stale = false
  let isDisposed = false
  let limit = FIRST_ROWS
  let hasMore = false

  /** How far the gateway's clock is ahead of this browser's. */
  let clockLead = 0
  /**
   * When the gateway's process started, by its own clock like all times in its rows; null until a list has given its
   * time.
   */
  let gatewayBegan: number | null = null
  let titlesWanted = FIRST_TITLES

  /** Nothing is shown before the first list. */
  const republish = () => {
    if (state.get().status === "ready") publish()
  }
  const marks = createSessionMarks(env, republish)
  const firstWords = createFirstWords(link, env.storage, republish)
  /** Loaded with the first row that claims a run: only older gateways' rows do. */
  let runs: RunCheck | null = null
  /** Sessions whose runs were heard of before that. */
  const heardEarly = new Set<string>()
  const hearRun = (key: string) => (runs === null ? heardEarly.add(key) : runs.hear(key))
  const endRun = (key: string) => (runs === null ? heardEarly.delete(key) : runs.hearEnd(key))
  const isRunBelieved = (claim: ClaimedRun) => runs?.isBelieved(claim) ?? heardEarly.has(claim.key)
  async function loadRuns(): Promise<RunCheck> {
    const { createRunCheck } = await import("./RunCheck.ts")
    if (runs !== null) return runs
    runs = createRunCheck(link, {
      now: () => env.now() + clockLead,
      onOver: ({ key, startedAt }) => marks.mark(key, { stoppedAt: startedAt }),
      onDoubt: () => void checkRuns()
    })
    for (const key of heardEarly) runs.hear(key)
    return runs
  }

  /** The run that only a row reports; one from before the gateway's own start, or one that was stopped, is over. */
  function claimOf(key: string, fields: Fields) {
    const startedAt = claimedRunOf(fields)
    if (startedAt === null || startedAt <= marks.of(key).stoppedAt) return null
    return gatewayBegan !== null && startedAt < gatewayBegan ? null : { key, startedAt }
  }

  const find = (key: string) => state.get().rows.find((row) => row.key === key) ?? null

  async function checkRuns(): Promise<void> {
    if (link.hello.get() === null) return
    const claimed = [...rows].flatMap(([key, fields]) => claimOf(key, fields) ?? [])
    if (runs === null && claimed.length === 0) return
    const check = runs ?? (await loadRuns().catch(() => null))
    if (check === null || isDisposed) return
    await check.check(claimed)
    republish()
  }

  function rowOf(key: string, fields: Fields): SessionRow {
    const parent = parentOf(fields, key)
    const claim = claimOf(key, fields)
    return sessionRow(fields, key, mainKey, {
      // Whoever has seen a session has learned from it how its helpers did.
      seenAt: Math.max(marks.of(key).seenAt, parent === null ? 0 : marks.of(parent).seenAt),
      isRunBelieved: claim !== null && isRunBelieved(claim),
      waiting: waitingKeys.get().has(key),
      deniedAt: denied.get().get(key) ?? null,
      firstWords: firstWords.get(textOf(fields.sessionId))
    })
  }

  /** Whoever is looking at a session sees how its last run ended. */
  function markSeen(): void {
    const endedAt = endOf(rows.get(activeKey.get()) ?? {})
    if (isVisible.get() && endedAt !== null) marks.mark(activeKey.get(), { seenAt: endedAt })
  }

  function publish(): void {
    markSeen()
    const own = [...rows].map(([key, fields]) => rowOf(key, fields))
    if (!rows.has(mainKey)) own.push(rowOf(mainKey, {}))
    const all = [...own, ...others].filter(({ key }) => key === mainKey || !hidden.has(key))
    all.sort((a, b) => b.updatedAt - a.updatedAt)
    state.set({
      status: "ready",
      message: null,
      rows: all,
      tree: sessionTree(all),
      unreadCount: all.filter((row) => row.unread).length,
      hasMore: hasMore || othersHaveMore
    })
    askTitles(own)
  }

  function askTitles(all: ReadonlyArray<SessionRow>): void {
    const untitled = all.filter(({ key }) => isUntitled(rows.get(key) ?? {}, key, mainKey)).slice(0, titlesWanted)
    firstWords.ask(
      untitled.flatMap(({ key, sessionId, preview, updatedAt, startedAt, running }) => {
        // The history of a first turn may be empty until its response.
        if (sessionId === null || (running && preview === null)) return []
        // While a session is running, its row changes without containing anything new.
        return [{ key, sessionId, isRunning: running, at: running ? (startedAt ?? 0) : updatedAt }]
      })
    )
  }

  function refreshSoon(): void {
    clearTimeout(timer)
    timer = setTimeout(refresh, REFRESH_DELAY)
  }

  function refresh(): Promise<void> {
    clearTimeout(timer)
    if (reading !== null) {
      stale = true
      return reading
    }
    if (link.hello.get() === null) return Promise.resolve()
    const mine = read().finally(() => {
      if (reading === mine) reading = null
    })
    reading = mine
    return mine
  }

  async function read(): Promise<void> {
    const greeting = link.hello.get()
    do {
      stale = false
      changedWhileReading = new Set()
      const params = { limit, includeDerivedTitles: true, includeLastMessage: true }
      let payload: Fields
      try {
        payload = fieldsOf(await link.request("sessions.list", params))
      } catch (reason) {
        // A later connection reads again.
        if (greeting === link.hello.get() && state.get().status !== "ready")
          state.set({ ...state.get(), status: "failed", message: failureSentence(reason) })
        return
      }
      if (greeting !== link.hello.get()) return
      take(payload)
    } while (stale)
    void checkRuns()
  }

  function take(payload: Fields): void {
    const listed = new Map<string, Fields>()
    for (const entry of listOf(payload.sessions)) {
      const fields = recordOf(entry)
      const key = filledText(fields?.key)
      if (fields !== null && key !== null && fields.archived !== true) listed.set(key, fields)
    }
    hasMore = typeof payload.hasMore === "boolean" ? payload.hasMore : listOf(payload.sessions).length >= limit
    // An event after the request is newer than the response.
    for (const key of changedWhileReading) {
      const newer = rows.get(key)
      if (newer === undefined) listed.delete(key)
      else listed.set(key, { ...listed.get(key), ...newer })
    }
    rows.clear()
    for (const [key, fields] of listed) rows.set(key, fields)
    const gatewayNow = numberOf(payload.ts)
    if (gatewayNow !== null) {
      clockLead = gatewayNow - env.now()
      const began = link.hello.get()?.startedAt ?? null
      if (began !== null) gatewayBegan ??= began + clockLead
    }
    if (!marks.hasBaseline)
      marks.begin(gatewayNow ?? Math.max(0, ...[...rows.values()].map((row) => numberOf(row.endedAt) ?? 0)))
    publish()
  }

  function onChanged(payload: Fields): void {
    const key = filledText(payload.sessionKey) ?? filledText(fieldsOf(payload.session).key)
    if (key === null) return
    const before = rows.get(key) ?? null
    const next = changedRow(before, payload)
    changedWhileReading.add(key)
    if (next === null || next.archived === true) rows.delete(key)
    else rows.set(key, next)
    if (payload.phase === "start") hearRun(key)
    if (payload.reason === "reset") firstWords.forget(textOf(before?.sessionId) ?? "")
    if ((before === null && next !== null) || payload.reason === "reset") refreshSoon()
    republish()
  }

  /** A run that produces output exists, whatever the list says about older ones. */
  function onSign(key: string): void {
    const claim = claimOf(key, rows.get(key) ?? {})
    const isNews = claim !== null && !isRunBelieved(claim)
    hearRun(key)
    if (isNews) republish()
  }

  /** What a session's events don't repeat: its first words, and its last. */
  function onMessage(key: string, { session, message }: Fields): void {
    const { role, content } = fieldsOf(message)
    const row = rows.get(key)
    const said = role === "user" || role === "assistant" ? filledText(contentText(content)) : null
    if (row !== undefined && said !== null) rows.set(key, { ...row, lastMessagePreview: said.slice(0, MAX_PREVIEW) })
    firstWords.hear(textOf(fieldsOf(session).sessionId) ?? "", fieldsOf(message))
  }

  function onEvent({ event, payload }: GatewayEventFrame) {
    const fields = fieldsOf(payload)
    if (event === "sessions.changed") return onChanged(fields)
    const key = filledText(fields.sessionKey)
    if (key === null) return
    if (event === "session.message") return onMessage(key, fields)
    if (event === "agent" || event === "session.tool") onSign(key)
    if (event !== "chat") return
    const row = rows.get(key)
    if (row === undefined) refreshSoon()
    if (fields.state === "delta") onSign(key)
    if ((fields.state === "final" || fields.state === "error") && row !== undefined && claimOf(key, row) !== null)
      endRun(key)
    if (fields.state !== "aborted") return
    const at = numberOf(fieldsOf(fields.message).timestamp) ?? 0
    marks.mark(key, { stoppedAt: Math.max(at, numberOf(row?.startedAt) ?? 0) })
    const told = typeof row?.hasActiveRun === "boolean" ? { hasActiveRun: false } : {}
    if (row !== undefined) rows.set(key, { ...row, status: "killed", ...told })
    publish()
  }

  const stopListening = [
    link.onEvent(onEvent),
    link.onGap(refreshSoon),
    waitingKeys.subscribe(republish),
    denied.subscribe(republish),
    link.hello.subscribe((greeting) => {
      reading = null
      if (greeting === null) return
      gatewayBegan = null
      heardEarly.clear()
      runs?.startAnew()
      firstWords.startAnew()
      mainKey = greeting.mainSessionKey
      link.request("sessions.subscribe", {}).catch(() => {})
      void refresh()
    })
  ]

  async function act(method: string, params: object, key: string): Promise<ActionResult<Fields>> {
    try {
      return { ok: true, value: fieldsOf(await linkOf(key).request(method, params)) }
    } catch (reason) {
      return { ok: false, message: failureSentence(reason) }
    }
  }

  async function change(method: string, key: string, more: object = {}): Promise<ActionResult> {
    const done = await act(method, { key, ...more }, key)
    if (!done.ok) return done
    refreshSoon()
    return { ok: true, value: true }
  }

  function select(key: string): void {
    activeKey.set(key)
    try {
      env.storage.setItem(ACTIVE_KEY, key)
    } catch {
      // It only means not being remembered across a reload.
    }
    republish()
  }

  return {
    state,
    activeKey,
    select,
    isVisible,
    setVisible: (shown) => {
      isVisible.set(shown)
      republish()
    },
    showOthers: (found, haveMore) => {
      others = found
      othersHaveMore = haveMore
      republish()
    },
    find,
    wasCutOff: (key) => wasCutOff(find(key), gatewayBegan),
    refresh: async () => {
      await refresh()
      await checkRuns()
    },
    wantTitles: (count) => {
      if (count <= titlesWanted) return
      titlesWanted = count
      republish()
    },
    create: async ({ gatewayId, ...options } = {}) => {
      const made = await act("sessions.create", options, gatewayId === undefined ? mainKey : `@${gatewayId}:`)
      if (!made.ok) return made
      const key = textOf(made.value.key)
      if (key === null) return { ok: false, message: "The gateway didn't create a session." }
      select(key)
      await refresh()
      return { ok: true, value: key }
    },
    rename: (key, label) => change("sessions.patch", key, { label: label.trim() === "" ? null : label.trim() }),
    setModel: (key, model) => change("sessions.patch", key, { model }),
    setThinking: (key, thinkingLevel) => change("sessions.patch", key, { thinkingLevel }),
    reset: (key) => change("sessions.reset", key),
    stop: async (key) => {
      const done = await act("chat.abort", { sessionKey: key }, key)
      if (!done.ok) return done
      return done.value.aborted === true
        ? { ok: true, value: true }
        : { ok: false, message: "The gateway found nothing to stop." }
    },
    setHidden: (key, isHidden) => {
      if (isHidden) hidden.add(key)
      else hidden.delete(key)
      if (isHidden && activeKey.get() === key) select(mainKey)
      publish()
    },
    readMore: () => {
      limit *= 2
      return refresh()
    },
    remove: async (key) => {
      const done = await change("sessions.delete", key)
      if (done.ok) rows.delete(key)
      hidden.delete(key)
      if (done.ok && activeKey.get() === key) select(mainKey)
      publish()
      return done
    },
    dispose: () => {
      clearTimeout(timer)
      for (const stop of stopListening) stop()
      marks.dispose()
      firstWords.dispose()
      isDisposed = true
      runs?.dispose()
    }
  }
}
