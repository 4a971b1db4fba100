import type { Why } from "../../../../src/contract/failure.ts"
import type { ConversationItem, OlderItems } from "../../../../src/contract/schema/conversation.ts"
import type { AskedAgain } from "../../../../src/contract/schema/messageActions.ts"
import type { OutgoingImage } from "../../../../src/services/conversations/turn/outgoing.ts"
import { type ActionResult, createObservable, type Readable } from "../common/Observable.ts"
import { say } from "../language/say.ts"
import type { ApiClient, ApiResult, HttpMethod } from "../link/apiTypes.ts"
import type { Environment } from "../link/Environment.ts"
import type { LiveLink } from "../link/LiveLink.ts"
import { NOT_LOADED } from "../link/loadedPart.ts"
import { whySentence } from "../link/whySentence.ts"
import type { Outbox } from "../outbox/createOutbox.ts"
import { messageOf, type OutboxMessage } from "../outbox/outboxMessage.ts"
import type { ChatItem, ChatState, ChatStore, TakenBack, TurnEnd } from "./chatTypes.ts"
import { liveItem, type OwnFacts, writtenItem } from "./live/liveItems.ts"
import { itemsOf, type LiveWindow, saidIn, withOlder, withState } from "./live/liveWindow.ts"
import { NO_OVERLAY, underState, withMessages } from "./live/overlay.ts"

export interface LiveChatOptions {
  readonly live: Pick<LiveLink, "isUp" | "open" | "tab">
  readonly api: Pick<ApiClient, "request">
  readonly env: Pick<Environment, "now" | "onShown" | "storage" | "uuid">
  readonly outbox: Pick<Outbox, "send" | "follow" | "act">
  readonly sessionKey: string
}

interface Known extends Omit<OwnFacts, "sentence"> {
  readonly item: ConversationItem
  readonly shown: ChatItem
}

const DONE = { ok: true, value: true } as const
const NO_ITEMS: ReadonlyArray<ConversationItem> = []

const resultOf = (done: ApiResult<unknown>): ActionResult =>
  done.ok ? DONE : { ok: false, message: done.error.message }

/** A session's conversation as the console shows it, with what was written here and the console doesn't have yet. */
export function createLiveChat({ api, env, live, outbox, sessionKey }: LiveChatOptions): ChatStore {
  let kept: LiveWindow | null = null
  /** Why there is no conversation to show. */
  let gone: Why | null = null
  /** The console's state is the newest one. */
  let isCurrent = false
  let isLoadingOlder = false
  let overlay = NO_OVERLAY
  let messages: ReadonlyMap<string, OutboxMessage> = new Map()
  /** Pictures that were sent from here, by the ids of their messages. */
  const pictures = new Map<string, ReadonlyArray<OutgoingImage>>()
  /** Messages that were read whole, by the keys of their items. */
  const whole = new Map<string, ConversationItem>()
  /** Items that were taken back here. */
  const hidden = new Set<string>()
  const known = new Map<string, Known>()
  const turnListeners = new Set<(turn: TurnEnd) => void>()
  const waiters = new Set<() => void>()
  let isDisposed = false
  const shown = createObservable<ChatState>(stateNow())
  let watchers = 0

  const query = (more: Record<string, string> = {}) => new URLSearchParams({ sessionKey, ...more })
  const sentencesArrived = () => {
    known.clear()
    publish()
  }
  const sentence = (why: Why) => whySentence(why, sentencesArrived)

  function shownItem(item: ConversationItem): ChatItem {
    const id = item.kind === "user" ? item.outboxId : undefined
    const facts = {
      message: id === undefined ? undefined : messages.get(id),
      pictures: id === undefined ? undefined : pictures.get(id),
      isWhole: whole.get(item.key) === item
    }
    const before = known.get(item.key)
    const isSame = before?.item === item && before.message === facts.message && before.pictures === facts.pictures
    if (isSame && before.isWhole === facts.isWhole) return before.shown
    const next = liveItem(item, { ...facts, sentence })
    known.set(item.key, { item, ...facts, shown: next })
    return next
  }

  function allItems(): ReadonlyArray<ConversationItem> {
    if (kept === null) return NO_ITEMS
    const items = itemsOf(kept, whole)
    return hidden.size === 0 ? items : items.filter(({ key }) => !hidden.has(key))
  }

  function stateNow(): ChatState {
    const written = [...overlay.messages.values()].map((message) => writtenItem(message, pictures.get(message.id)))
    const items = [...allItems().map(shownItem), ...written]
    const head = kept?.state.head
    const why = gone ?? head?.why ?? null
    return {
      sessionKey,
      status: gone === null ? (head?.status ?? "loading") : "failed",
      message: why === null ? null : sentence(why) || null,
      items,
      activity: head?.activity ?? "IDLE",
      linked: head?.linked === true && live.isUp.get(),
      deleted: head?.deleted === true && written.length === 0,
      ...(head?.unknown === true && written.length === 0 ? { isUnknown: true } : {}),
      running: head?.running === true,
      aborting: head?.stopping === true,
      queued: head?.queued ?? 0,
      phase: head?.phase ?? null,
      hasOlder: kept?.before != null,
      loadingOlder: isLoadingOlder
    }
  }

  function publish(): void {
    shown.set(stateNow())
  }

  const channel = live.open(
    "conversation",
    {
      onState: (state, epoch) => {
        if (kept?.epoch !== epoch) whole.clear()
        kept = withState(kept, state, epoch)
        gone = null
        isCurrent = true
        overlay = underState(overlay, state.items)
        publish()
        for (const tell of [...waiters]) tell()
      },
      onTurn: ({ last, outcome, question, stoppedBy }) => {
        // Who stopped a turn needs no notification.
        if (stoppedBy === live.tab) return
        const items = allItems()
        const asked = items.find(({ key }) => key === question)
        const text = saidIn(items, last)
        for (const listener of [...turnListeners])
          listener({ sessionKey, outcome, text, question: asked?.kind === "user" ? asked.text : null })
      },
      onGone: (why) => {
        gone = why
        publish()
        for (const tell of [...waiters]) tell()
      }
    },
    { key: sessionKey, rate: "live" }
  )
  channel.pause()

  /** The conversation is only heard of while somebody looks at it. */
  function watch(): () => void {
    watchers++
    channel.resume()
    let isWatching = true
    return () => {
      if (!isWatching) return
      isWatching = false
      watchers--
      if (watchers > 0) return
      isCurrent = false
      channel.pause()
    }
  }

  const state: Readable<ChatState> = {
    get: shown.get,
    subscribe: (listener) => {
      const stops = [shown.subscribe(listener), watch()]
      return () => {
        for (const stop of stops) stop()
      }
    }
  }

  const stops = [
    outbox.follow(sessionKey, (all) => {
      messages = new Map(all.map((message) => [message.id, message]))
      overlay = withMessages(overlay, all, kept?.state.items ?? NO_ITEMS, isCurrent)
      publish()
    }),
    live.isUp.subscribe((isUp) => {
      if (!isUp) isCurrent = false
      publish()
      if (!isUp) for (const tell of [...waiters]) tell()
    }),
    env.onShown((isShown) => channel.set({ rate: isShown ? "live" : "slow" }))
  ]

  /** Waits until the console has said how things stand, or can't. */
  async function resync(): Promise<void> {
    const wasWatched = watchers > 0
    const leave = watch()
    if (live.isUp.get()) {
      const heard = new Promise<void>((resolve) => {
        const tell = () => {
          if (!isDisposed && live.isUp.get() && gone === null && kept?.state.head.status === "loading") return
          waiters.delete(tell)
          resolve()
        }
        waiters.add(tell)
      })
      // A channel that nobody watched is opened by that alone.
      if (wasWatched) channel.reopen()
      await heard
    }
    leave()
  }

  function send(text: string, images: ReadonlyArray<OutgoingImage>, mode: OutboxMessage["mode"], notBefore?: number) {
    const id = env.uuid()
    const message = {
      id,
      sessionKey,
      text,
      images,
      mode,
      at: env.now(),
      ...(notBefore === undefined ? {} : { notBefore })
    }
    if (images.length > 0) pictures.set(id, images)
    overlay = { ...overlay, messages: new Map([...overlay.messages, [id, messageOf(message, "taking", null)]]) }
    publish()
    outbox.send(message)
  }

  const find = (key: string): ConversationItem | undefined => allItems().find((item) => item.key === key)

  /** The id by which the outbox knows a message. */
  function idOf(key: string): string | undefined {
    const item = find(key)
    if (item?.kind === "user") return item.outboxId
    return [...overlay.messages.keys()].find((id) => key === `u:${id}`)
  }

  function hide(key: string): void {
    hidden.add(key)
    publish()
  }

  function retry(key: string): void {
    const item = shown.get().items.find((one) => one.key === key)
    if (item?.kind !== "user" || item.delivery !== "failed") return
    const id = idOf(key)
    if (id !== undefined && messages.get(id)?.state === "failed") {
      void outbox.act((store) => store.decide(id, "again"))
      return
    }
    // The console is done with it, and wouldn't send it under its id again.
    hide(key)
    send(item.text, pictures.get(id ?? "") ?? [], "next")
  }

  async function takeBack(key: string): Promise<ActionResult<TakenBack>> {
    const item = shown.get().items.find((one) => one.key === key)
    if (item?.kind !== "user" || !["failed", "held", "unsure"].includes(item.delivery))
      return { ok: false, message: say("This message is on its way to the agent already.") }
    const id = idOf(key)
    const own = pictures.get(id ?? "")
    if (id === undefined || !messages.has(id)) {
      hide(key)
      return { ok: true, value: { text: item.text, images: own ?? [] } }
    }
    const isElsewhere = own === undefined && item.images.length > 0
    const done = await outbox.act(async (store) => {
      const images = isElsewhere ? await store.pictures(id) : ({ ok: true, value: own ?? [] } as const)
      const removed = images.ok ? await store.remove(id) : images
      return removed.ok ? images : removed
    })
    if (!done.ok) return done
    hide(key)
    return { ok: true, value: { text: item.text, images: done.value } }
  }

  /** What asking a question again removes from the session, the question first; nothing where the gateway can't go back. */
  function removedBy(key: string): ReadonlyArray<ConversationItem> {
    const items = allItems()
    const at = items.findIndex((item) => item.key === key)
    const canRewind = kept?.state.head.can.rewind === true && items[at]?.messageId !== undefined
    // A message that was never read has nothing to do with what is asked again, and stays.
    return canRewind ? items.slice(at).filter((item) => item.kind !== "user" || item.delivery !== "failed") : []
  }

  /** Has the console ask a question again, and keeps what is lost with that. */
  async function ask(path: string, body: object, own: ReadonlyArray<OutgoingImage> = []): Promise<ActionResult> {
    const parts = await import("./removedParts.ts").catch(() => null)
    if (parts === null) return NOT_LOADED
    const id = env.uuid()
    if (own.length > 0) pictures.set(id, own)
    const done = await request("POST", path, (answer: AskedAgain) => answer, { id, ...body })
    if (!done.ok) return resultOf(done)
    parts.keepRemoved(env.storage, sessionKey, env.now(), (done.value.removed ?? []).map(shownItem))
    return DONE
  }

  function request<Answer, A>(method: HttpMethod, path: string, read: (answer: Answer) => A, body?: object) {
    const options = body === undefined ? {} : { body: { ...body, sessionKey } }
    return api.request(method, `/api/sessions/${path}`, read, options)
  }

  return {
    state,
    send: (text, images = [], mode = "next", notBefore) => {
      if (text.trim() === "" && images.length === 0) return false
      send(text, images, mode, notBefore)
      return true
    },
    retry,
    takeBack,
    abort: async () => resultOf(await request("POST", "stop", () => true, { tab: live.tab })),
    askAgain: (key, text) => {
      const { messageId } = find(key) ?? {}
      const isOlder = kept?.older.some((item) => item.key === key) === true && messageId !== undefined
      const words = text === undefined ? {} : { text }
      return ask("ask-again", { ...(isOlder ? { messageId } : { key }), ...words }, pictures.get(idOf(key) ?? ""))
    },
    removedBy: (key) => removedBy(key).map(shownItem),
    regenerate: () => ask("regenerate", {}),
    readWhole: async (key) => {
      const id = find(key)?.messageId
      if (id === undefined) return { ok: false, message: say("Couldn't load the rest of this message. Try again.") }
      const read = ({ items }: { readonly items: ReadonlyArray<ConversationItem> }) => items
      const done = await request("GET", `message?${query({ id })}`, read)
      if (!done.ok) return resultOf(done)
      for (const item of done.value) whole.set(item.key, item)
      publish()
      return DONE
    },
    loadOlder: async () => {
      const asked = kept
      if (asked?.before == null || isLoadingOlder) return
      isLoadingOlder = true
      publish()
      const page = (answer: typeof OlderItems.Type) => answer
      const done = await request("GET", `messages?${query({ before: asked.before })}`, page)
      isLoadingOlder = false
      if (done.ok && kept !== null) kept = withOlder(kept, asked, done.value)
      publish()
    },
    keysOf: (id) => allItems().flatMap(({ key, messageId }) => (messageId === id ? [key] : [])),
    messageOf: (key) => find(key)?.messageId ?? null,
    resync,
    onTurnEnd: (listener) => {
      turnListeners.add(listener)
      const leave = watch()
      return () => {
        turnListeners.delete(listener)
        leave()
      }
    },
    dispose: () => {
      isDisposed = true
      channel.close()
      for (const tell of [...waiters]) tell()
      for (const stop of stops) stop()
      turnListeners.clear()
    }
  }
}
