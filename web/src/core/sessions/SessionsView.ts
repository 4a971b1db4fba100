import { PRIMARY } from "../../../../src/contract/qualifiedKey.ts"
import type { TopicStates } from "../../../../src/contract/schema/live.ts"
import type {
  SessionRow as ListedSession,
  SessionPage,
  SessionPatch
} from "../../../../src/contract/schema/sessionRow.ts"
import { type ActionResult, createObservable } from "../common/Observable.ts"
import type { ApiClient, HttpMethod } from "../link/apiTypes.ts"
import type { Environment } from "../link/Environment.ts"
import { failureText } from "../link/failureText.ts"
import type { LiveLink } from "../link/LiveLink.ts"
import { createFreshSession, type Plan, plannedRow } from "./freshSession.ts"
import { agentOfKey, sessionTree } from "./sessionRows.ts"
import { type MarkChange, NO_SESSIONS, type SessionRow, type SessionsState, type SessionsView } from "./sessionTypes.ts"
import { shownRow } from "./shownRow.ts"

type Listed = TopicStates["sessions"]

const ACTIVE_KEY = "agent-console:active-session"
const PATH = "/api/sessions"
/** Sessions that are shown at first; `readMore` doubles them, up to what the console shows at most. */
const FIRST_ROWS = 200
const MOST_ROWS = 2_000
/** Sessions of a page where all are read. */
const PAGE = 500
/** The list has a change soon after its answer. */
const LIST_WITHIN = 2_000
/** A gateway that says it has more, and gives none, isn't waited for any longer. */
const MORE_WITHIN = 10_000

const NOTHING: Listed = { items: [], head: { gateways: {}, more: false, unread: 0 } }
const DONE = { ok: true, value: true } as const

interface SessionsParts {
  readonly live: Pick<LiveLink, "open" | "look" | "tab">
  readonly api: Pick<ApiClient, "request">
  readonly env: Pick<Environment, "storage" | "uuid">
  /** A gateway's main session, by its key among those of all gateways. */
  readonly mainKeyOf: (gatewayId: string) => string
}

/** What this page shows of a session ahead of the list. */
interface Ahead {
  readonly of: (item: ListedSession) => ListedSession
  /** What the list had when the change was answered: anything newer has it. */
  readonly over?: ListedSession | undefined
}

/** How the lists of all gateways stand together: what one of them has is shown. */
function standOf({ gateways }: Listed["head"]): Pick<SessionsState, "status" | "message"> {
  const all = Object.values(gateways)
  const failed = all.find(({ state }) => state === "failed")
  if (all.some(({ state }) => state === "ready")) return { status: "ready", message: null }
  if (failed === undefined || all.some(({ state }) => state === "loading")) return { status: "loading", message: null }
  return { status: "failed", message: failureText("", failed.why) || null }
}

/** What was planned, as the console is told it. */
const settingsOf = ({ thinkingLevel, ...rest }: Plan): Omit<SessionPatch, "sessionKey"> =>
  thinkingLevel === undefined ? rest : { ...rest, thinking: thinkingLevel }

/** A session as a change makes it. */
function marked(item: ListedSession, change: MarkChange): ListedSession {
  const { group: before, ...rest } = item
  const group = change.group === undefined ? before : change.group
  const pinned = change.pinned ?? (item.pinned && change.archived !== true)
  const archived = change.archived ?? (item.archived && change.pinned !== true)
  return { ...rest, pinned, archived, ...(group == null ? {} : { group }) }
}

/** The console's list of sessions, as this page shows it. */
export function createSessionsView({ api, env, live, mainKeyOf }: SessionsParts): SessionsView {
  const state = createObservable(NO_SESSIONS)
  const activeKey = createObservable(env.storage.getItem(ACTIVE_KEY) ?? mainKeyOf(PRIMARY))
  const fresh = createFreshSession(env)
  const hidden = new Set<string>()
  const ahead = new Map<string, Ahead>()
  const shown = new WeakMap<ListedSession, SessionRow>()
  const waiters = new Set<() => void>()
  let items: ReadonlyMap<string, ListedSession> = new Map()
  let listed = NOTHING
  let archived = NOTHING
  let limit = FIRST_ROWS
  let isVisible = true
  let wantsArchived = false
  let archive: ReturnType<LiveLink["open"]> | undefined

  const list = live.open(
    "sessions",
    {
      onState: (next) => {
        listed = next
        take()
      }
    },
    { limit }
  )

  function take(): void {
    items = new Map([...archived.items, ...listed.items].map((item) => [item.key, item]))
    for (const [key, { over }] of ahead) if (over !== undefined && items.get(key) !== over) ahead.delete(key)
    publish()
    for (const look of [...waiters]) look()
  }

  function rowOf(item: ListedSession): SessionRow {
    const change = ahead.get(item.key)
    if (change !== undefined) return shownRow(change.of(item))
    const row = shown.get(item) ?? shownRow(item)
    shown.set(item, row)
    return row
  }

  /** The new session while it's open; once it has begun, it's like any other. */
  function freshRow(): ReadonlyArray<SessionRow> {
    const left = fresh.get()
    if (left === null) return []
    if (!items.has(left.key)) return left.key === activeKey.get() ? [shownRow(plannedRow(left))] : []
    void prepare(left.key)
    fresh.end()
    return []
  }

  function publish(): void {
    const all = [...items.values()].map(rowOf).filter(({ key, kind }) => kind === "main" || !hidden.has(key))
    all.sort((a, b) => b.updatedAt - a.updatedAt)
    const away = new Set(all.flatMap(({ archived, key }) => (archived ? key : [])))
    const rows = all.filter(({ key }) => !away.has(key))
    state.set({
      ...standOf(listed.head),
      rows: [...rows, ...freshRow()],
      // Helpers are put away with the session they belong to.
      tree: sessionTree(rows.filter(({ parentKey }) => !away.has(parentKey ?? ""))),
      archived: all.filter(({ key }) => away.has(key)),
      unreadCount: listed.head.unread,
      hasMore: listed.head.more && limit < MOST_ROWS
    })
    follow()
  }

  /** Tells the console what is looked at; archived sessions are listed for who wants them, or has one open. */
  function follow(): void {
    const key = activeKey.get()
    const isNew = fresh.get()?.key === key
    live.look(isVisible && !isNew ? key : null)
    const isElsewhere = !isNew && state.get().status === "ready" && !listed.items.some((item) => item.key === key)
    if (wantsArchived || isElsewhere) {
      archive ??= live.open(
        "sessions",
        {
          onState: (next) => {
            archived = next
            take()
          }
        },
        { limit, archived: true }
      )
    } else if (archive !== undefined) {
      archive.close()
      archive = undefined
      archived = NOTHING
      take()
    }
  }

  function act<A>(method: HttpMethod, path: string, body: object | undefined, read: (answer: A) => void) {
    const taken = (answer: A): true => {
      read(answer)
      return true
    }
    return api
      .request(method, path, taken, body === undefined ? {} : { body })
      .then((done): ActionResult => (done.ok ? DONE : { ok: false, message: done.error.message }))
  }

  /** Shows the session as it was answered, until the list has it. */
  function answered(key: string, row: ListedSession): void {
    const change: Ahead = { of: () => row, over: items.get(key) }
    if (change.over === undefined) return
    ahead.set(key, change)
    publish()
    setTimeout(() => {
      if (ahead.get(key) !== change) return
      ahead.delete(key)
      publish()
    }, LIST_WITHIN)
  }

  async function change(key: string, change: Omit<SessionPatch, "sessionKey">): Promise<ActionResult> {
    const before = ahead.get(key)
    return act<ListedSession>("PATCH", PATH, { sessionKey: key, ...change }, (row) => {
      // A later change is shown already.
      if (ahead.get(key) === before) answered(key, row)
    })
  }

  async function mark(key: string, made: MarkChange): Promise<ActionResult> {
    const { of = (item: ListedSession) => item } = ahead.get(key) ?? {}
    const mine: Ahead = { of: (item) => marked(of(item), made) }
    ahead.set(key, mine)
    publish()
    const done = await change(key, made)
    if (done.ok || ahead.get(key) !== mine) return done
    ahead.delete(key)
    publish()
    return done
  }

  /** Settings of a session; one that nobody has written in yet gets them with its first message. */
  async function adjust(key: string, plan: Plan): Promise<ActionResult> {
    if (!fresh.plan(key, plan)) return change(key, settingsOf(plan))
    publish()
    return DONE
  }

  function prepare(key: string): Promise<ActionResult> | null {
    const plan = fresh.takePlan(key)
    return plan && change(key, settingsOf(plan))
  }

  function select(key: string): void {
    activeKey.set(key)
    try {
      env.storage.setItem(ACTIVE_KEY, key)
    } catch {
      // It only means not being remembered across a reload.
    }
    publish()
  }

  async function readPages(isArchived: boolean): Promise<ActionResult<ReadonlyArray<SessionRow>>> {
    const rows: Array<SessionRow> = []
    let cursor: string | undefined
    do {
      const from = cursor === undefined ? "" : `&cursor=${cursor}`
      const path = `${PATH}?limit=${PAGE}&archived=${isArchived}${from}`
      const page = await api.request("GET", path, (answer: SessionPage) => answer)
      if (!page.ok) return { ok: false, message: page.error.message }
      rows.push(...page.value.sessions.map(shownRow))
      cursor = page.value.cursor
    } while (cursor !== undefined)
    return { ok: true, value: rows }
  }

  /** Waits for a state of the list, but not for ever. */
  const until = (isIt: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = () => {
        if (isIt()) end()
      }
      const end = () => {
        clearTimeout(timer)
        waiters.delete(look)
        resolve()
      }
      const timer = setTimeout(end, MORE_WITHIN)
      waiters.add(look)
      look()
    })

  return {
    state,
    activeKey,
    select,
    setVisible: (shown) => {
      isVisible = shown
      follow()
    },
    find: (key) => {
      const isIt = (row: SessionRow) => row.key === key
      return state.get().rows.find(isIt) ?? state.get().archived.find(isIt) ?? null
    },
    retry: async () => {
      const failed = Object.entries(listed.head.gateways).filter(([, { state }]) => state === "failed")
      await Promise.all(failed.map(([id]) => act("POST", `/api/gateways/${id}/retry`, {}, () => {})))
    },
    setWantsArchived: (wanted) => {
      wantsArchived = wanted
      follow()
    },
    create: (options = {}) => {
      const main = mainKeyOf(options.gatewayId ?? PRIMARY)
      const { key } = fresh.begin({ ...options, agentId: options.agentId ?? agentOfKey(main) })
      select(key)
      return key
    },
    prepare,
    mark,
    rename: (key, label) => adjust(key, { label: label.trim() === "" ? null : label.trim() }),
    setModel: (key, model) => adjust(key, { model }),
    setThinking: (key, thinking) => adjust(key, { thinkingLevel: thinking }),
    reset: (key) => act<ListedSession>("POST", `${PATH}/reset`, { sessionKey: key }, (row) => answered(key, row)),
    stop: (key) => act("POST", `${PATH}/stop`, { sessionKey: key, tab: live.tab }, () => {}),
    setHidden: (key, isHidden) => {
      if (isHidden) hidden.add(key)
      else hidden.delete(key)
      if (isHidden && activeKey.get() === key) select(mainKeyOf(PRIMARY))
      publish()
    },
    readMore: async () => {
      if (limit >= MOST_ROWS) return
      const before = listed.items.length
      limit = Math.min(MOST_ROWS, limit * 2)
      list.set({ limit })
      archive?.set({ limit })
      await until(() => listed.items.length > before || !listed.head.more)
      publish()
    },
    readAll: async () => {
      const [shown, away] = await Promise.all([readPages(false), readPages(true)])
      return shown.ok && away.ok ? { ok: true, value: [...shown.value, ...away.value] } : shown.ok ? away : shown
    },
    remove: async (key) => {
      const done = await act("DELETE", `${PATH}?sessionKey=${encodeURIComponent(key)}`, undefined, () => {})
      // One that is gone stays hidden until the list knows.
      if (!done.ok) hidden.delete(key)
      if (done.ok && activeKey.get() === key) select(mainKeyOf(PRIMARY))
      publish()
      return done
    },
    dispose: () => {
      list.close()
      archive?.close()
    }
  }
}
