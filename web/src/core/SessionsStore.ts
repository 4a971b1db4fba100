import type { SessionsState, SessionsStore } from "./chatTypes.ts"
import { type Fields, fieldsOf, filledText, listOf, numberOf, parseJson, recordOf, textOf } from "./decode.ts"
import type { Environment } from "./Environment.ts"
import { failureSentence } from "./GatewayCallError.ts"
import { Observable } from "./Observable.ts"
import { changedRow, type SessionMarks, sessionRow, sessionTree } from "./sessionRows.ts"
import type { ActionResult, GatewayEventFrame, GatewayLink, Readable } from "./types.ts"

const MARKS_KEY = "agent-console:sessions"
const ACTIVE_KEY = "agent-console:active-session"
/** Sessions of the first read; `readMore` doubles it. */
const FIRST_ROWS = 200
const MAX_MARKS = 500
const REFRESH_DELAY = 400

interface Mark {
  readonly seenAt: number
  readonly stoppedAt: number
}

/** The gateway's sessions, kept current by its events; what was read is remembered in this browser. */
export function createSessionsStore(
  link: GatewayLink,
  env: Environment,
  waitingKeys: Readable<ReadonlySet<string>>
): SessionsStore {
  const saved = fieldsOf(parseJson(env.storage.getItem(MARKS_KEY) ?? ""))
  /** Sessions without a mark count as read up to the first time this browser saw a list. */
  let baseline = numberOf(saved.baseline)
  const marks = new Map<string, Mark>()
  for (const entry of listOf(saved.marks)) {
    const [key, seenAt, stoppedAt] = listOf(entry)
    if (typeof key === "string") marks.set(key, { seenAt: numberOf(seenAt) ?? 0, stoppedAt: numberOf(stoppedAt) ?? 0 })
  }

  const rows = new Map<string, Fields>()
  const hidden = new Set<string>()
  const state = new Observable<SessionsState>({
    status: "loading",
    message: null,
    rows: [],
    tree: [],
    unreadCount: 0,
    hasMore: false
  })
  const activeKey = new Observable(env.storage.getItem(ACTIVE_KEY) ?? "agent:main:main")
  let mainKey = "agent:main:main"
  let visible = true
  let reading: Promise<void> | null = null
  let changedWhileReading = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let stale = false
  let limit = FIRST_ROWS
  let hasMore = false

  const marksOf = (key: string): SessionMarks => {
    const mark = marks.get(key)
    return {
      seenAt: Math.max(mark?.seenAt ?? 0, baseline ?? 0),
      stoppedAt: mark?.stoppedAt ?? 0,
      waiting: waitingKeys.get().has(key)
    }
  }

  function save(): void {
    const newest = [...marks].slice(-MAX_MARKS).map(([key, mark]) => [key, mark.seenAt, mark.stoppedAt])
    try {
      env.storage.setItem(MARKS_KEY, JSON.stringify({ baseline, marks: newest }))
    } catch {
      // A full storage only means that unread marks are not remembered.
    }
  }

  function mark(key: string, change: Partial<Mark>): void {
    const before = marks.get(key) ?? { seenAt: 0, stoppedAt: 0 }
    const next = { ...before, ...change }
    if (next.seenAt === before.seenAt && next.stoppedAt === before.stoppedAt) return
    marks.delete(key)
    marks.set(key, next)
    save()
  }

  function publish(): void {
    const active = rows.get(activeKey.get())
    const endedAt = numberOf(active?.endedAt)
    if (visible && endedAt !== null && endedAt > marksOf(activeKey.get()).seenAt)
      mark(activeKey.get(), { seenAt: endedAt })
    const all = [...rows]
      .filter(([key]) => !hidden.has(key))
      .map(([key, fields]) => sessionRow(fields, key, mainKey, marksOf(key)))
    if (!rows.has(mainKey)) all.push(sessionRow({}, mainKey, mainKey, marksOf(mainKey)))
    all.sort((a, b) => b.updatedAt - a.updatedAt)
    state.set({
      status: "ready",
      message: null,
      rows: all,
      tree: sessionTree(all),
      unreadCount: all.filter((row) => row.unread).length,
      hasMore
    })
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
        // A later connection reads anew.
        if (greeting === link.hello.get() && state.get().status !== "ready")
          state.set({ ...state.get(), status: "failed", message: failureSentence(reason) })
        return
      }
      if (greeting !== link.hello.get()) return
      take(payload)
    } while (stale)
  }

  function take(payload: Fields): void {
    const listed = new Map<string, Fields>()
    for (const entry of listOf(payload.sessions)) {
      const fields = recordOf(entry)
      const key = filledText(fields?.key)
      if (fields !== null && key !== null && fields.archived !== true) listed.set(key, fields)
    }
    hasMore = typeof payload.hasMore === "boolean" ? payload.hasMore : listOf(payload.sessions).length >= limit
    // An event that came after the question is newer than the answer.
    for (const key of changedWhileReading) {
      const newer = rows.get(key)
      if (newer === undefined) listed.delete(key)
      else listed.set(key, { ...listed.get(key), ...newer })
    }
    rows.clear()
    for (const [key, fields] of listed) rows.set(key, fields)
    if (baseline === null) {
      baseline = numberOf(payload.ts) ?? Math.max(0, ...[...rows.values()].map((row) => numberOf(row.endedAt) ?? 0))
      save()
    }
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
    if (before === null && next !== null) refreshSoon()
    if (state.get().status === "ready") publish()
  }

  function onEvent({ event, payload }: GatewayEventFrame) {
    const fields = fieldsOf(payload)
    if (event === "sessions.changed") return onChanged(fields)
    const key = filledText(fields.sessionKey)
    if (event !== "chat" || key === null) return
    const row = rows.get(key)
    if (row === undefined) refreshSoon()
    if (fields.state !== "aborted") return
    const at = numberOf(fieldsOf(fields.message).timestamp) ?? 0
    mark(key, { stoppedAt: Math.max(at, numberOf(row?.startedAt) ?? 0) })
    if (row !== undefined) rows.set(key, { ...row, status: "killed", hasActiveRun: false })
    publish()
  }

  const stopListening = [
    link.onEvent(onEvent),
    link.onGap(refreshSoon),
    waitingKeys.subscribe(() => {
      if (state.get().status === "ready") publish()
    }),
    link.hello.subscribe((greeting) => {
      reading = null
      if (greeting === null) return
      mainKey = greeting.mainSessionKey
      link.request("sessions.subscribe", {}).catch(() => {})
      void refresh()
    })
  ]

  async function act(method: string, params: object): Promise<ActionResult<Fields>> {
    try {
      return { ok: true, value: fieldsOf(await link.request(method, params)) }
    } catch (reason) {
      return { ok: false, message: failureSentence(reason) }
    }
  }

  async function change(method: string, params: object): Promise<ActionResult> {
    const done = await act(method, params)
    if (!done.ok) return done
    refreshSoon()
    return { ok: true, value: true }
  }

  function select(key: string): void {
    activeKey.set(key)
    try {
      env.storage.setItem(ACTIVE_KEY, key)
    } catch {
      // Not remembered over a reload, nothing else.
    }
    if (state.get().status === "ready") publish()
  }

  return {
    state,
    activeKey,
    select,
    setVisible: (shown) => {
      visible = shown
      if (state.get().status === "ready") publish()
    },
    find: (key) => state.get().rows.find((row) => row.key === key) ?? null,
    refresh,
    create: async (options = {}) => {
      const made = await act("sessions.create", options)
      if (!made.ok) return made
      const key = textOf(made.value.key)
      if (key === null) return { ok: false, message: "The gateway made no session." }
      select(key)
      await refresh()
      return { ok: true, value: key }
    },
    rename: (key, label) => change("sessions.patch", { key, label: label.trim() === "" ? null : label.trim() }),
    setModel: (key, model) => change("sessions.patch", { key, model }),
    setThinking: (key, thinkingLevel) => change("sessions.patch", { key, thinkingLevel }),
    reset: (key) => change("sessions.reset", { key }),
    stop: async (key) => {
      const done = await act("chat.abort", { sessionKey: key })
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
      const done = await change("sessions.delete", { key })
      if (done.ok) rows.delete(key)
      hidden.delete(key)
      if (done.ok && activeKey.get() === key) select(mainKey)
      publish()
      return done
    },
    dispose: () => {
      clearTimeout(timer)
      for (const stop of stopListening) stop()
    }
  }
}
