import { randomUUID } from "node:crypto"
import { Clock, Context, Effect, Exit, Layer, Schedule, Scope, Semaphore } from "effect"
import { fieldsOf, textOf } from "../../contract/looseFields.ts"
import { keyParts, qualifiedKey } from "../../contract/qualifiedKey.ts"
import type { ConversationItem } from "../../contract/schema/conversation.ts"
import type { GatewayError } from "../gateway/client/GatewayError.ts"
import { connecting } from "../gateway/client/gatewayFailures.ts"
import { EveryGateway, type LinkedGateway } from "../gateway/registry/EveryGateway.ts"
import { UnknownGateway } from "../gateway/registry/gatewayEntry.ts"
import { canonicalKey } from "../gateway/sessions/sessionRules.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { overdue } from "./heldRules.ts"
import { decodeHistory, type HistoryEntry } from "./history/chatHistory.ts"
import { type HistoryReading, type MessageTooLong, makeHistoryReading } from "./historyReading.ts"
import { messagesOf, type OlderCursor, packCursor, withoutLoneResults } from "./olderCursor.ts"
import { type ConversationViewer, type OpenConversation, openConversation } from "./openConversation.ts"
import type { Numbered } from "./publisher.ts"
import { shownEntry } from "./shownItem.ts"
import { messageOf } from "./turn/olderPages.ts"

/** Messages of one older page. */
const PAGE = 200
const SWEEP = "30 seconds"

/** What comes before a cursor. */
export interface OlderAnswer {
  readonly items: ReadonlyArray<ConversationItem>
  readonly older: string | null
}

/** A conversation and where it is. */
export interface OpenedConversation {
  readonly conversation: OpenConversation
  readonly gateway: LinkedGateway
  /** The session's key at the gateway, and among those of all gateways. */
  readonly key: string
  readonly sessionKey: string
}

export interface ConversationsShape {
  /**
   * Looks at a session's conversation until the scope closes: waits at most 3 seconds for its history, and returns its
   * state; the viewer hears of all later ones.
   */
  readonly look: (
    sessionKey: string,
    viewer: ConversationViewer & { readonly gone: () => void }
  ) => Effect.Effect<Numbered, UnknownGateway, Scope.Scope>
  /** The conversation of a session for something that is done with it; fails if its history can't be read now. */
  readonly open: (sessionKey: string) => Effect.Effect<OpenedConversation, UnknownGateway | GatewayError>
  /** The conversation as it is now; fails if the gateway was never heard about it. */
  readonly read: (sessionKey: string) => Effect.Effect<Numbered, UnknownGateway | GatewayError>
  /** What comes before a cursor, at most so many messages. */
  readonly older: (
    sessionKey: string,
    before: OlderCursor,
    limit: number | undefined
  ) => Effect.Effect<OlderAnswer, UnknownGateway | GatewayError>
  /** All of a message, under the keys of the conversation; `undefined` if the gateway no longer has it. */
  readonly message: (
    sessionKey: string,
    id: string
  ) => Effect.Effect<ReadonlyArray<ConversationItem> | undefined, UnknownGateway | GatewayError | MessageTooLong>
  /** The conversation of a session, if it's held. */
  readonly held: (sessionKey: string) => OpenConversation | undefined
}

interface Held {
  readonly conversation: OpenConversation
  readonly scope: Scope.Closeable
  seenAt: number
}

/** The conversations of a gateway, by its own keys of their sessions. */
interface OfGateway {
  readonly gateway: LinkedGateway
  readonly held: Map<string, Held>
  readonly open: (key: string) => Effect.Effect<Held>
  readonly reading: (sessionKey: string) => HistoryReading
  readonly protocol: Effect.Effect<number>
  readonly close: (key: string) => Effect.Effect<void>
  readonly leavers: Set<() => void>
}

/** The conversations that somebody looks at, and those of the last minutes. */
export class Conversations extends Context.Service<Conversations, ConversationsShape>()(
  "agent-console/services/conversations/Conversations"
) {
  static readonly layer = Layer.effect(
    Conversations,
    Effect.gen(function* () {
      const every = yield* EveryGateway
      const outbox = yield* Outbox
      const boot = yield* Effect.sync(() => randomUUID().slice(0, 8))
      let epochs = 0
      const newEpoch = () => {
        epochs += 1
        return `${boot}-${epochs}`
      }

      const gateways = yield* every.each(
        Effect.fnUntraced(function* (gateway) {
          const held = new Map<string, Held>()
          const leavers = new Set<() => void>()
          const scope = yield* Effect.scope
          const turn = yield* Semaphore.make(1)
          yield* gateway.client.tap({
            frame: (event) => {
              if (held.size === 0) return
              const key = textOf(fieldsOf(event.payload).sessionKey)
              if (key !== null) held.get(key)?.conversation.frame(event)
            },
            linked: () => {
              for (const { conversation } of held.values()) conversation.linked()
            },
            gap: () => {
              for (const { conversation } of held.values()) conversation.gap()
            },
            down: () => {
              for (const { conversation } of held.values()) conversation.down()
            }
          })
          yield* Effect.addFinalizer(() =>
            Effect.sync(() => {
              for (const leave of leavers) leave()
            })
          )
          const open = Effect.fnUntraced(function* (key: string) {
            const known = held.get(key)
            if (known !== undefined) return known
            const own = yield* Scope.fork(scope)
            const conversation = yield* openConversation(gateway, qualifiedKey(gateway.id, key), {
              newEpoch,
              outbox
            }).pipe(Scope.provide(own))
            const one: Held = { conversation, scope: own, seenAt: yield* Clock.currentTimeMillis }
            held.set(key, one)
            return one
          }, turn.withPermit)
          const close = Effect.fnUntraced(function* (key: string) {
            const one = held.get(key)
            if (one === undefined || one.conversation.viewers > 0) return
            held.delete(key)
            yield* Scope.close(one.scope, Exit.void)
          }, turn.withPermit)
          const ofGateway: OfGateway = {
            gateway,
            held,
            open,
            close,
            leavers,
            reading: (sessionKey) => makeHistoryReading(gateway.client, sessionKey),
            protocol: Effect.map(gateway.client.latestConnection, (connection) => connection?.protocol ?? 0)
          }
          return ofGateway
        })
      )

      const sweep = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const all = [...gateways.values()].flatMap((of) =>
          [...of.held].map(([key, { conversation, seenAt }]) => ({
            of,
            key,
            viewers: conversation.viewers,
            seenAt,
            size: conversation.size()
          }))
        )
        yield* Effect.forEach(overdue(all, now), ({ key, of }) => of.close(key), { discard: true })
      })
      yield* Effect.forkScoped(Effect.schedule(sweep, Schedule.spaced(SWEEP)))

      const at = Effect.fnUntraced(function* (sessionKey: string) {
        const parts = keyParts(sessionKey)
        const of = gateways.get(parts.gatewayId)
        if (of === undefined) return yield* new UnknownGateway({ id: parts.gatewayId })
        const key = canonicalKey(parts.key)
        return { of, key, gatewayId: parts.gatewayId, sessionKey: qualifiedKey(parts.gatewayId, key) }
      })

      /** The conversation, once its history was read and all that was missed since. */
      const opened = Effect.fnUntraced(function* (sessionKey: string) {
        const { of, ...where } = yield* at(sessionKey)
        const one = yield* of.open(where.key)
        one.seenAt = yield* Clock.currentTimeMillis
        const { conversation } = one
        yield* conversation.upToDate
        if (conversation.current().state.head.status !== "ready") return yield* conversation.refusal
        return { conversation, gateway: of.gateway, key: where.key, sessionKey: where.sessionKey }
      })

      return Conversations.of({
        open: Effect.fn("Conversations.open")(function* (sessionKey) {
          const { client } = (yield* at(sessionKey)).of.gateway
          const problem = yield* client.problem
          if (problem !== undefined) return yield* problem
          // Nothing can be done with what is only held, so nobody waits for it.
          if ((yield* client.connection) === undefined) return yield* connecting
          const found = yield* opened(sessionKey)
          if (found.conversation.isBehind()) return yield* found.conversation.refusal
          return found
        }),
        look: Effect.fn("Conversations.look")(function* (sessionKey, { gone, ...viewer }) {
          const { key, of } = yield* at(sessionKey)
          const one = yield* of.open(key)
          of.leavers.add(gone)
          yield* Effect.addFinalizer(() => Effect.sync(() => of.leavers.delete(gone)))
          // What is published while it waits is in the state that it returns.
          let isReady = false
          const leave = one.conversation.view({
            published: (published) => {
              if (isReady) viewer.published(published)
            },
            ended: (ended) => {
              if (isReady) viewer.ended(ended)
            }
          })
          yield* Effect.addFinalizer(() =>
            Effect.map(Clock.currentTimeMillis, (now) => {
              one.seenAt = now
              leave()
            })
          )
          yield* one.conversation.ready
          const current = one.conversation.current()
          isReady = true
          return current
        }),
        read: Effect.fn("Conversations.read")(function* (sessionKey) {
          return (yield* opened(sessionKey)).conversation.current()
        }),
        older: Effect.fn("Conversations.older")(function* (key, before, limit = PAGE) {
          const { gatewayId, of, sessionKey } = yield* at(key)
          const { count, first, offset } = before
          const plan = {
            sessionKey,
            protocol: yield* of.protocol,
            sources: { has: (source: string) => messageOf(source) === first },
            count,
            firstAt: before.at,
            limit,
            offset
          }
          const page = yield* of.reading(sessionKey).older(plan)
          const newest = lastMessages(page.entries, limit)
          const hasMore = page.hasMore || newest.length < page.entries.length
          const entries = hasMore ? withoutLoneResults(newest) : newest
          return {
            items: entries.map((entry) => shownEntry(gatewayId, entry)),
            older: hasMore
              ? cursorOf(entries, { ...before, offset: page.offset }, newest.length - entries.length)
              : null
          }
        }),
        message: Effect.fn("Conversations.message")(function* (key, id) {
          const { gatewayId, of, ...where } = yield* at(key)
          const answer = yield* of.reading(where.sessionKey).whole(id)
          if (answer === undefined) return undefined
          const shown = of.held.get(where.key)?.conversation.state.timeline ?? []
          return decodeHistory(answer).entries.map((entry) => {
            const before = shown.find(({ source }) => source === entry.source)
            const item = before === undefined ? entry.item : { ...entry.item, key: before.item.key }
            return shownEntry(gatewayId, { ...entry, item })
          })
        }),
        held: (sessionKey) => {
          const { gatewayId, key } = keyParts(sessionKey)
          return gateways.get(gatewayId)?.held.get(canonicalKey(key))?.conversation
        }
      })
    })
  )
}

/** The entries of at most so many messages, the newest ones. */
const lastMessages = (entries: ReadonlyArray<HistoryEntry>, limit: number): ReadonlyArray<HistoryEntry> => {
  const ids = new Set<string>()
  const from = entries.findLastIndex(({ source }) => ids.add(messageOf(source)).size > limit)
  return entries.slice(from + 1)
}

/** The cursor of what comes before an older page; `left` of its messages are left to the next one. */
const cursorOf = (entries: ReadonlyArray<HistoryEntry>, before: OlderCursor, left: number): string => {
  const [first] = entries
  const offset = Math.max(0, before.offset - left - 1)
  if (first === undefined) return packCursor({ ...before, offset: before.offset })
  return packCursor({
    offset,
    count: before.count + messagesOf(entries),
    first: messageOf(first.source),
    at: first.item.at
  })
}
