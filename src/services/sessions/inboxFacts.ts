import { Effect, PubSub } from "effect"
import { MAX_INBOX_PAGE } from "../../contract/inbox.ts"
import { qualifiedKey } from "../../contract/qualifiedKey.ts"
import type { InboxItem } from "../../contract/schema/inbox.ts"
import { Inbox } from "../inbox/Inbox.ts"
import { EventBus } from "../platform/events/EventBus.ts"
import { shownKeys } from "./sessionRow.ts"

/** What the inbox says of sessions, by their keys among those of all gateways. */
export interface InboxFacts {
  /** The agent can't go on without a person. */
  readonly isWaiting: (key: string) => boolean
  readonly waiting: () => ReadonlySet<string>
  /** When the newest request was made that nobody allowed, if the newest wasn't. */
  readonly deniedAt: (key: string) => number | undefined
}

/** The sessions in which an agent waits for this. */
const keysOf = ({ gatewayId, kind, sessionKey }: InboxItem): ReadonlyArray<string> =>
  sessionKey === undefined || (kind !== "approval" && kind !== "question")
    ? []
    : shownKeys(qualifiedKey(gatewayId, sessionKey))

const isDenied = ({ resolution, state }: InboxItem): boolean => state === "expired" || resolution?.action === "deny"

/** Follows the inbox; `onChange` gets the sessions of which it says something else. */
export const makeInboxFacts = Effect.fnUntraced(function* (onChange: (keys: ReadonlyArray<string>) => void) {
  const inbox = yield* Inbox
  const bus = yield* EventBus
  const open = new Map<string, ReadonlyArray<string>>()
  const denied = new Map<string, number>()
  let waiting: ReadonlySet<string> = new Set()

  const take = (item: InboxItem) => {
    const keys = keysOf(item)
    if (keys.length === 0) return
    if (item.state === "open") open.set(item.id, keys)
    else open.delete(item.id)
    if (item.state !== "open" && item.kind === "approval") {
      for (const key of keys) {
        if (isDenied(item)) denied.set(key, item.createdAt)
        else denied.delete(key)
      }
    }
    waiting = new Set([...open.values()].flat())
    onChange(keys)
  }

  const page = (state: "open" | "resolved", offset: number) =>
    inbox.list({ state, kinds: ["approval", "question"], limit: MAX_INBOX_PAGE, offset })

  /** What is open, and how the latest approvals ended, the oldest first. */
  const readAll = Effect.gen(function* () {
    for (let offset = 0; ; offset += MAX_INBOX_PAGE) {
      const { items } = yield* page("open", offset)
      for (const item of items) take(item)
      if (items.length < MAX_INBOX_PAGE) break
    }
    const { items } = yield* page("resolved", 0)
    const endOf = (item: InboxItem) => item.resolution?.at ?? 0
    for (const item of items.toSorted((a, b) => endOf(a) - endOf(b))) take(item)
  })

  const events = yield* bus.subscribe
  yield* readAll.pipe(
    Effect.catch(({ message }) => Effect.logWarning(`Couldn't read the inbox for the list of sessions: ${message}`)),
    Effect.andThen(
      Effect.forever(
        Effect.map(PubSub.take(events), ({ data, event }) => {
          if (event === "inbox.changed") take(data.item)
        })
      )
    ),
    Effect.forkScoped
  )

  const facts: InboxFacts = {
    isWaiting: (key) => waiting.has(key),
    waiting: () => waiting,
    deniedAt: (key) => denied.get(key)
  }
  return facts
})
