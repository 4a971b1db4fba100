import { type Fields, fieldsOf, filledText, numberOf, textOf } from "../../../../src/contract/looseFields.ts"
import { contentText } from "../../../../src/services/conversations/history/toolText.ts"
import { type ActionResult, createObservable } from "../common/Observable.ts"
import { say } from "../language/say.ts"
import type { Environment } from "../link/Environment.ts"
import { failureSentence } from "../link/GatewayCallError.ts"
import type { GatewayEventFrame, GatewayLink } from "../link/linkTypes.ts"
import { createFirstWords, untitledOf } from "./FirstWords.ts"
import { createFreshSession, type Plan, plannedFields } from "./freshSession.ts"
import { alwaysShown, createListReader, hasMoreThan } from "./ListReader.ts"
import { NOT_SHARED } from "./MarksStore.ts"
import { createRunCheck } from "./RunCheck.ts"
import { createSeenSessions, createSessionMarks } from "./SessionMarks.ts"
import {
  agentOfKey,
  changedRow,
  claimedRunOf,
  isUntitled,
  listedRows,
  parentOf,
  sessionRow,
  sessionTree,
  wasCutOff
} from "./sessionRows.ts"
import { NO_SESSIONS, type SessionRow, type SessionsOptions, type SessionsStore } from "./sessionTypes.ts"

const ACTIVE_KEY = "agent-console:active-session"
/** Sessions of the first read; `readMore` doubles it. */
const FIRST_ROWS = 200
/** Sessions that get a title before more are requested. */
const FIRST_TITLES = 60
/** Characters of a last message that are kept. */
const MAX_PREVIEW = 400
/** Without the marks, sessions are shown after this time. */
const MARKS_WITHIN = 2_000
/** A gateway's sessions, kept current by its events; what was read is remembered in this browser. */
export function createSessionsStore(
  link: GatewayLink,
  env: Environment,
  {
    waiting: waitingKeys,
    waitingFailure = createObservable(null),
    denied = createObservable(new Map()),
    linkOf = () => link,
    shared = NOT_SHARED,
    isAdded = false
  }: SessionsOptions
): SessionsStore {
  const rows = new Map<string, Fields>()
  const hidden = new Set<string>()
  const state = createObservable(NO_SESSIONS)
  const activeKey = createObservable(env.storage.getItem(ACTIVE_KEY) ?? "agent:main:main")
  let mainKey = "agent:main:main"
  const isVisible = createObservable(true)
  const wantsArchived = createObservable(false)
  const fresh = createFreshSession(env)
  let others: ReadonlyArray<SessionRow> = []
  let othersHaveMore = false
  const changedWhileReading = new Set<string>()
  let isListed = false
  let isLate = false
  let lateTimer: ReturnType<typeof setTimeout> | undefined
  let limit = FIRST_ROWS
  let hasMore = false

  /** How far the gateway's clock is ahead of this browser's. */
  let clockLead = 0
  /** When the gateway's process started, by its own clock like all times in its rows; null before the first list. */
  let gatewayBegan: number | null = null
  let titlesWanted = FIRST_TITLES

  /** Nothing is shown before the first list, or before the marks that give its order. */
  const republish = () => {
    if (isListed && (isLate || shared.state.get() !== null)) publish()
  }
  const marks = createSessionMarks(env, shared.state, republish)
  const seen = createSeenSessions(marks, shared)
  const firstWords = createFirstWords(link, env.storage, republish)
  const runs = createRunCheck(link, {
    now: () => gatewayNow(),
    onOver: ({ key, startedAt }) => marks.mark(key, { stoppedAt: startedAt }),
    onDoubt: () => void checkRuns()
  })
  const gatewayNow = () => env.now() + clockLead

  /** The run that only a row reports; one from before the gateway's own start, or one that was stopped, is over. */
  function claimOf(key: string, fields: Fields) {
    const startedAt = claimedRunOf(fields)
    if (startedAt === null || startedAt <= marks.of(key).stoppedAt) return null
    return gatewayBegan !== null && startedAt < gatewayBegan ? null : { key, startedAt }
  }

  const find = (key: string) => {
    const isIt = (row: SessionRow) => row.key === key
    // What was listed counts before it is shown: a conversation asks how its last turn ended.
    const fields = state.get().status === "ready" ? undefined : rows.get(key)
    if (fields !== undefined) return rowOf(key, fields)
    return state.get().rows.find(isIt) ?? state.get().archived.find(isIt) ?? null
  }

  async function checkRuns(): Promise<void> {
    if (link.hello.get() === null) return
    await runs.check([...rows].flatMap(([key, fields]) => claimOf(key, fields) ?? []))
    republish()
  }

  const seenAt = (key: string) => seen.at(key, rows.get(key) ?? {})

  function rowOf(key: string, fields: Fields): SessionRow {
    const parent = parentOf(fields, key)
    const claim = claimOf(key, fields)
    return sessionRow(fields, key, mainKey, {
      // Whoever has seen a session has learned from it how its helpers did.
      seenAt: Math.max(seenAt(key), parent === null ? 0 : seenAt(parent)),
      isRunBelieved: claim !== null && runs.isBelieved(claim),
      waiting: waitingKeys.get().has(key) || (waitingFailure.get() === undefined ? null : false),
      deniedAt: denied.get().get(key) ?? null,
      firstWords: firstWords.get(textOf(fields.sessionId)),
      mark: marks.of(key)
    })
  }

  /** The new session while it's open; once it has begun, it's like any other. */
  function freshRow(): ReadonlyArray<SessionRow> {
    const { key, plan } = fresh.get() ?? {}
    if (isAdded || key === undefined || plan === undefined) return []
    if (!rows.has(key) && !others.some((row) => row.key === key))
      return key === activeKey.get() ? [rowOf(key, plannedFields(plan))] : []
    void prepare(key)
    fresh.end()
    return []
  }

  function publish(): void {
    // Whoever is looking at a session sees how its last run ended.
    if (isVisible.get()) seen.look(activeKey.get(), rows.get(activeKey.get()) ?? {})
    const own = [...rows].map(([key, fields]) => rowOf(key, fields))
    if (!rows.has(mainKey)) own.push(rowOf(mainKey, {}))
    const all = [...own, ...others].filter(({ key }) => key === mainKey || !hidden.has(key))
    all.sort((a, b) => b.updatedAt - a.updatedAt)
    const away = new Set(all.flatMap(({ archived, key }) => (archived ? key : [])))
    const shown = all.filter(({ key }) => !away.has(key))
    state.set({
      status: "ready",
      message: null,
      rows: [...shown, ...freshRow()],
      // Helpers are put away with the session they belong to.
      tree: sessionTree(shown.filter(({ parentKey }) => !away.has(parentKey ?? ""))),
      archived: all.filter(({ key }) => away.has(key)),
      unreadCount: shown.filter((row) => row.unread).length,
      hasMore: hasMore || othersHaveMore
    })
    askTitles(own)
  }

  function askTitles(all: ReadonlyArray<SessionRow>): void {
    const untitled = all.filter(({ key }) => isUntitled(rows.get(key) ?? {}, key, mainKey))
    firstWords.ask(untitled.slice(0, titlesWanted).flatMap(untitledOf))
  }

  const reader = createListReader(link, {
    wants: () => ({ limit, keys: wanted(), archived: wantsArchived.get() }),
    onBegin: () => changedWhileReading.clear(),
    onList: take,
    onFailure: (message) => {
      if (state.get().status !== "ready") state.set({ ...state.get(), status: "failed", message })
    },
    onDone: () => void checkRuns()
  })
  const { refresh, refreshSoon } = reader

  const wanted = () => {
    const open = activeKey.get()
    return alwaysShown(mainKey, open === fresh.get()?.key ? mainKey : open, shared.state.get())
  }

  function take(payload: Fields, archived: unknown, beyond: ReadonlyArray<unknown>): void {
    const listed = listedRows(payload.sessions, archived, beyond)
    // What was put away meanwhile is only in the other list.
    if (!wantsArchived.get())
      for (const [key, fields] of rows) if (fields.archived === true && !listed.has(key)) listed.set(key, fields)
    hasMore = hasMoreThan(limit, payload)
    // An event after the request is newer than the response.
    for (const key of changedWhileReading) {
      const newer = rows.get(key)
      if (newer === undefined) listed.delete(key)
      else listed.set(key, { ...listed.get(key), ...newer })
    }
    rows.clear()
    for (const [key, fields] of listed) rows.set(key, fields)
    const sentAt = numberOf(payload.ts)
    if (sentAt !== null) {
      clockLead = sentAt - env.now()
      const began = link.hello.get()?.startedAt ?? null
      if (began !== null) gatewayBegan ??= began + clockLead
    }
    if (!marks.hasBaseline)
      marks.begin(sentAt ?? Math.max(0, ...[...rows.values()].map((row) => numberOf(row.endedAt) ?? 0)))
    isListed = true
    lateTimer ??= setTimeout(() => {
      isLate = true
      republish()
    }, MARKS_WITHIN)
    republish()
  }

  function onChanged(payload: Fields): void {
    const key = filledText(payload.sessionKey) ?? filledText(fieldsOf(payload.session).key)
    if (key === null) return
    const before = rows.get(key) ?? null
    const next = changedRow(before, payload)
    changedWhileReading.add(key)
    if (next === null) rows.delete(key)
    else rows.set(key, next)
    if (payload.phase === "start") runs.noteActivity(key)
    if (payload.reason === "reset") firstWords.forget(textOf(before?.sessionId) ?? "")
    if ((before === null && next !== null) || payload.reason === "reset") refreshSoon()
    republish()
  }

  /** A run that produces output exists, whatever the list says about older ones. */
  function onSign(key: string): void {
    const claim = claimOf(key, rows.get(key) ?? {})
    const isNews = claim !== null && !runs.isBelieved(claim)
    runs.noteActivity(key)
    if (isNews) republish()
  }

  /** What a session's events don't repeat: its first words, and its last. */
  function onMessage(key: string, { session, message }: Fields): void {
    const { role, content } = fieldsOf(message)
    const row = rows.get(key)
    const said = role === "user" || role === "assistant" ? filledText(contentText(content)) : null
    if (row !== undefined && said !== null) rows.set(key, { ...row, lastMessagePreview: said.slice(0, MAX_PREVIEW) })
    firstWords.noteMessage(textOf(fieldsOf(session).sessionId) ?? "", fieldsOf(message))
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
      runs.noteEnd(key)
    if (fields.state !== "aborted") return
    const at = numberOf(fieldsOf(fields.message).timestamp) ?? 0
    marks.mark(key, { stoppedAt: Math.max(at, numberOf(row?.startedAt) ?? 0) })
    const activity = typeof row?.hasActiveRun === "boolean" ? { hasActiveRun: false } : {}
    if (row !== undefined) rows.set(key, { ...row, status: "killed", ...activity })
    republish()
  }

  const stopListening = [
    link.onEvent(onEvent),
    link.onGap(refreshSoon),
    ...[waitingKeys, waitingFailure, denied].map((one) => one.subscribe(republish)),
    link.hello.subscribe((greeting) => {
      reader.startAnew()
      if (greeting === null) return
      gatewayBegan = null
      seen.startAnew()
      runs.startAnew()
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

  /** Settings of a session; one that nobody has written in yet gets them with its first message. */
  async function adjust(key: string, plan: Plan): Promise<ActionResult> {
    if (!fresh.plan(key, plan)) return change("sessions.patch", key, plan)
    republish()
    return { ok: true, value: true }
  }

  function prepare(key: string): Promise<ActionResult<unknown>> | null {
    const plan = linkOf(key).hello.get() === null ? null : fresh.takePlan(key)
    return plan && act("sessions.patch", { key, ...plan }, key)
  }

  function select(key: string): void {
    activeKey.set(key)
    try {
      env.storage.setItem(ACTIVE_KEY, key)
    } catch {
      // It only means not being remembered across a reload.
    }
    republish()
    if (isListed && hasMore && !rows.has(key) && wanted().includes(key)) void refresh()
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
    wantsArchived,
    setWantsArchived: (wanted) => {
      wantsArchived.set(wanted)
      if (wanted) void refresh()
    },
    create: (options = {}) => {
      const { agentId, gatewayId } = options
      const main = gatewayId === undefined ? mainKey : linkOf(`@${gatewayId}:`).hello.get()?.mainSessionKey
      const { key } = fresh.begin({ ...options, agentId: agentId ?? agentOfKey(main ?? mainKey) })
      select(key)
      return key
    },
    prepare,
    mark: (key, change) => shared.act((store) => store.change(key, change)),
    gatewayNow,
    rename: (key, label) => adjust(key, { label: label.trim() === "" ? null : label.trim() }),
    setModel: (key, model) => adjust(key, { model }),
    setThinking: (key, thinkingLevel) => adjust(key, { thinkingLevel }),
    reset: (key) => change("sessions.reset", key),
    stop: async (key) => {
      const done = await act("chat.abort", { sessionKey: key }, key)
      if (!done.ok) return done
      return done.value.aborted === true
        ? { ok: true, value: true }
        : { ok: false, message: say("The gateway found nothing to stop.") }
    },
    setHidden: (key, isHidden) => {
      if (isHidden) hidden.add(key)
      else hidden.delete(key)
      if (isHidden && activeKey.get() === key) select(mainKey)
      republish()
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
      republish()
      return done
    },
    dispose: () => {
      reader.dispose()
      clearTimeout(lateTimer)
      for (const stop of stopListening) stop()
      marks.dispose()
      firstWords.dispose()
      runs.dispose()
    }
  }
}
