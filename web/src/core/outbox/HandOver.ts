import { keyParts } from "../../../../src/contract/qualifiedKey.ts"
import type { WrittenMessage } from "../../../../src/services/conversations/turn/outgoing.ts"
import type { ApiFailure } from "../link/apiTypes.ts"
import { outboxMessageOf, refusalText } from "./outboxMessage.ts"
import type { OutboxParts, Pending } from "./outboxTypes.ts"

export const PATH = "/api/outbox"
/** A console that couldn't be reached is tried again after this time, or when it says so, and as soon as its events arrive. */
const AGAIN_MS = 5_000
/** Pictures take their time on a slow connection. */
const HAND_LIMIT_MS = 120_000

/** What somebody signing in, or time, can change. */
const FOR_NOW: ReadonlySet<number> = new Set([401, 408, 425, 429])

/** The console said no, and would say so again; what something in between says is about that. */
const isRefusal = ({ kind, status }: ApiFailure): boolean =>
  kind !== "foreign" && kind !== "offline" && status >= 400 && status < 500 && !FOR_NOW.has(status)

export const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`
export const accepted = (): true => true

/** The console names a session by its gateway and its key there; the primary gateway goes without saying. */
export const sessionOf = (qualified: string) => {
  const { gatewayId, key } = keyParts(qualified)
  return { sessionKey: key, ...(key === qualified ? {} : { gatewayId }) }
}

const bodyOf = ({ id, sessionKey, text, mode, notBefore, images }: WrittenMessage) => ({
  id,
  ...sessionOf(sessionKey),
  text,
  mode,
  ...(notBefore === undefined ? {} : { notBefore }),
  ...(images.length === 0
    ? {}
    : {
        attachments: images.map(({ fileName, mimeType, content }) => ({
          name: fileName,
          type: mimeType,
          data: content
        }))
      })
})

interface HandOverOptions extends OutboxParts {
  readonly pending: Map<string, Pending>
  /** A session's pending messages have changed. */
  readonly changed: (sessionKey: string) => void
  /** The console has a message. */
  readonly taken: (message: WrittenMessage) => void
}

export interface HandOver {
  dispose(): void
  /** Hands over a message that is pending, now or as soon as those before it were taken. */
  start(id: string): void
  /** Takes a message back that the console may not have; false if it surely has. */
  takeBack(id: string): boolean
  /** Tries everything again. */
  all(): void
}

/** Gives the console what was written here: once, in the order of each session, and as soon as it can be reached. */
export function createHandOver({ api, changed, env, giveBack, pending, prepare, taken }: HandOverOptions): HandOver {
  /** Sessions with a request under way. */
  const busy = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  /** How long the console wants nothing more; null if it didn't say. */
  let wanted: number | null = null
  const kept = env.openKept()
  /** Messages that the browser keeps beyond this page, or will. */
  const keeps = new Map<string, Promise<boolean>>()

  function all(): void {
    wanted = null
    const sessions = new Set([...pending.values()].map(({ message }) => message.sessionKey))
    for (const sessionKey of sessions) void next(sessionKey)
  }

  async function next(sessionKey: string): Promise<void> {
    const found = [...pending.values()].find(
      ({ message, state }) => message.sessionKey === sessionKey && state !== "taken"
    )
    if (found === undefined || busy.has(sessionKey) || wanted !== null) return
    busy.add(sessionKey)
    const isReached = await (found.state === "dropped" ? remove(found.message) : give(found.message))
    busy.delete(sessionKey)
    if (isReached) return next(sessionKey)
    clearTimeout(timer)
    timer = setTimeout(() => all(), Math.max(AGAIN_MS, wanted ?? 0))
  }

  /** Whether the console could be reached. */
  async function give(message: WrittenMessage): Promise<boolean> {
    const { id, sessionKey } = message
    const ready = await prepare(sessionKey)
    if (pending.get(id)?.state === "dropped") return true
    if (ready !== null && !ready.ok) {
      await refuse(message, ready.message)
      return true
    }
    const body = bodyOf(message)
    const hand = (keepalive: boolean) =>
      api.request("POST", PATH, outboxMessageOf, { body, timeoutMs: HAND_LIMIT_MS, keepalive })
    const first = await hand(true)
    // Browsers have their own limits for what outlives a page. The console takes a message once, however often it comes.
    const done = !first.ok && first.error.kind === "offline" ? await hand(false) : first
    // What was taken back in the meantime is next.
    const isDropped = pending.get(id)?.state === "dropped"
    if (done.ok) {
      void forget(id)
      if (isDropped) return true
      pending.set(id, { message, state: "taken", error: null })
      taken(message)
      changed(sessionKey)
      return true
    }
    if (isRefusal(done.error)) {
      if (isDropped) drop(message)
      else await refuse(message, refusalText(message.text, done.error))
      return true
    }
    wanted = done.error.retryAfterMs
    if (!isDropped) note(message, "away", done.error.message)
    return false
  }

  async function remove(message: WrittenMessage): Promise<boolean> {
    const done = await api.request("DELETE", pathOf(message.id), accepted)
    if (!done.ok && !isRefusal(done.error)) return false
    drop(message)
    return true
  }

  /** Gives a message back that won't be sent, unless another page has done so. */
  async function refuse(message: WrittenMessage, reason: string): Promise<void> {
    const isElsewhere = (await keeps.get(message.id)) === true && !(await forget(message.id))
    const isDropped = pending.get(message.id)?.state === "dropped"
    drop(message)
    if (!isElsewhere && !isDropped) giveBack({ message, reason })
  }

  function note(message: WrittenMessage, state: Pending["state"], error: string | null = null): void {
    pending.set(message.id, { message, state, error })
    changed(message.sessionKey)
  }

  function drop({ id, sessionKey }: WrittenMessage): void {
    pending.delete(id)
    changed(sessionKey)
  }

  /** What an earlier page couldn't hand over. */
  async function restore(): Promise<void> {
    for (const message of await (await kept).all()) {
      if (pending.has(message.id)) continue
      keeps.set(message.id, Promise.resolve(true))
      note(message, "away")
      void next(message.sessionKey)
    }
  }

  // A browser that keeps nothing still hands over what is on screen.
  function keep(message: WrittenMessage): void {
    const keeping = kept.then((messages) => messages.put(message))
    keeps.set(
      message.id,
      keeping.then(
        () => true,
        () => false
      )
    )
  }

  /** Whether the browser had it, as far as is known. */
  function forget(id: string): Promise<boolean> {
    keeps.delete(id)
    return kept.then((messages) => messages.remove(id)).catch(() => true)
  }

  restore().catch(() => {})

  return {
    dispose: () => clearTimeout(timer),
    start: (id) => {
      const found = pending.get(id)
      if (found === undefined) return
      keep(found.message)
      void next(found.message.sessionKey)
    },
    takeBack: (id) => {
      const found = pending.get(id)
      if (found === undefined || found.state === "taken") return false
      void forget(id)
      note(found.message, "dropped")
      void next(found.message.sessionKey)
      return true
    },
    all
  }
}
