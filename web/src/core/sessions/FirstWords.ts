import { type Fields, fieldsOf, listOf, numberOf, parseJson, recordsOf } from "../../../../src/contract/looseFields.ts"
import { titleOfMessage } from "../../../../src/contract/sessionTitle.ts"
import { contentText } from "../../../../src/services/conversations/history/toolText.ts"
import type { KeyValueStorage } from "../link/Environment.ts"
import type { GatewayLink } from "../link/linkTypes.ts"
import type { SessionRow } from "./sessionTypes.ts"

const STORAGE_KEY = "agent-console:session-titles"
const MAX_KEPT = 500
const AT_ONCE = 2

/** The title from a message a person wrote, null for any other message. */
export const titleOf = ({ role, content, provenance }: Fields): string | null =>
  role === "user" && provenance == null ? titleOfMessage(contentText(content)) : null

/** A session whose gateway gives it no title. */
export interface Untitled {
  readonly key: string
  readonly sessionId: string
  /** What was said last may not be in its history yet. */
  readonly isRunning: boolean
  /** When it last changed; it is looked up again after further changes. */
  readonly at: number
}

/** A row whose first words can be looked up; the history of a first turn may be empty until its response. */
export const untitledOf = (row: SessionRow): ReadonlyArray<Untitled> => {
  const { key, preview, running, sessionId, startedAt, updatedAt } = row
  if (sessionId === null || (running && preview === null)) return []
  // While a session is running, its row changes without containing anything new.
  return [{ key, sessionId, isRunning: running, at: running ? (startedAt ?? 0) : updatedAt }]
}

export interface FirstWords {
  get(sessionId: string | null): string | null
  /** A message was stored in a session. */
  noteMessage(sessionId: string, message: Fields): void
  /** The session starts over under the same id. */
  forget(sessionId: string): void
  /** Looks up these sessions' titles, in this order; replaces any remaining lookups. */
  ask(sessions: ReadonlyArray<Untitled>): void
  /** The connection is new: failed lookups can be repeated. */
  startAnew(): void
  dispose(): void
}

/**
 * Names for sessions that have none from the gateway: the first words a person wrote. Each session is looked up once,
 * a few at a time, and the result is remembered in this browser.
 */
export function createFirstWords(link: GatewayLink, storage: KeyValueStorage, onFound: () => void): FirstWords {
  const found = new Map<string, string>()
  /** Words heard as they were sent; those in the history replace them. */
  const sent = new Map<string, string>()
  /** Sessions that were looked up, and their state at that time. */
  const asked = new Map<string, number>()
  let queue: ReadonlyArray<Untitled> = []
  let isWorking = false

  function get(sessionId: string | null): string | null {
    if (sessionId === null) return null
    return found.get(sessionId) ?? sent.get(sessionId) ?? null
  }

  async function work(): Promise<void> {
    isWorking = true
    while (queue.length > 0) await Promise.all(Array.from({ length: AT_ONCE }, () => takeTurns()))
    isWorking = false
    read()
    write()
  }

  async function takeTurns(): Promise<void> {
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      queue = queue.slice(1)
      await lookUp(next)
    }
  }

  async function lookUp({ key, sessionId, at }: Untitled): Promise<void> {
    const greeting = link.hello.get()
    asked.set(sessionId, at)
    const title = await readFirstWords(link, key, (greeting?.protocol ?? 0) >= 4).catch(() => null)
    if (title === null || greeting !== link.hello.get()) return
    sent.delete(sessionId)
    found.set(sessionId, title)
    onFound()
  }

  /** Adds the stored titles, some of which another tab may have found. */
  function read(): void {
    for (const entry of listOf(parseJson(storage.getItem(STORAGE_KEY) ?? ""))) {
      const [id, title] = listOf(entry)
      if (typeof id === "string" && typeof title === "string" && !found.has(id)) found.set(id, title)
    }
  }

  function write(): void {
    try {
      storage.setItem(STORAGE_KEY, JSON.stringify([...found].slice(-MAX_KEPT)))
    } catch {
      // A full storage only means that titles are looked up again after a reload.
    }
  }

  read()

  return {
    get,
    noteMessage: (sessionId, message) => {
      if (get(sessionId) !== null) return
      const title = titleOf(message)
      if (title === null) return
      sent.set(sessionId, title)
      onFound()
    },
    forget: (sessionId) => {
      sent.delete(sessionId)
      asked.delete(sessionId)
      if (found.delete(sessionId)) write()
    },
    ask: (sessions) => {
      queue = sessions.filter(
        ({ sessionId, isRunning, at }) =>
          !found.has(sessionId) && asked.get(sessionId) !== at && !(isRunning && sent.has(sessionId))
      )
      if (!isWorking && queue.length > 0) void work()
    },
    startAnew: () => asked.clear(),
    dispose: () => {
      queue = []
    }
  }
}

/** How many messages at the start of a conversation are searched for a person's first words. */
const HEAD = 20
/** The most an older gateway returns of a history, counted from its end. */
const HISTORY_LIMIT = 1_000
const MAX_CHARS = 1_000

const seqOf = (message: Fields | undefined): number | null => numberOf(fieldsOf(message?.__openclaw).seq)

/** The first words of a session's conversation, or of the oldest part of it that one answer can hold. */
async function readFirstWords(link: Pick<GatewayLink, "request">, sessionKey: string, isNew: boolean) {
  const read = async (params: object) => {
    const bounds = isNew ? { maxChars: MAX_CHARS } : {}
    return fieldsOf(await link.request("chat.history", { sessionKey, ...bounds, ...params }))
  }
  const end = await read({ limit: HEAD })
  let messages = recordsOf(end.messages)
  const before = (seqOf(messages[0]) ?? 1) - 1
  if (isNew && end.hasMore === true)
    messages = recordsOf(
      (await read({ limit: HEAD, offset: Math.max(0, (numberOf(end.totalMessages) ?? 0) - HEAD) })).messages
    )
  else if (!isNew && before > 0)
    messages = recordsOf((await read({ limit: Math.min(HISTORY_LIMIT, before + HEAD) })).messages)
  for (const message of messages) {
    const title = titleOf(message)
    if (title !== null) return title
  }
  return null
}
