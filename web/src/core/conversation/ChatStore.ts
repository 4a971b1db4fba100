import { fieldsOf, recordsOf } from "../../../../src/contract/looseFields.ts"
import { decodeHistory, isLeftOut } from "../../../../src/services/conversations/history/chatHistory.ts"
import { removedBy } from "../../../../src/services/conversations/turn/askAgain.ts"
import {
  type Conversation,
  type ConversationEffect,
  type ConversationEvent,
  chatState,
  newConversation,
  type OlderPage,
  type OlderPlan,
  type ReadPlan,
  type Timer
} from "../../../../src/services/conversations/turn/Conversation.ts"
import type { ActionAnswer, TurnEnd as Ended } from "../../../../src/services/conversations/turn/chatItems.ts"
import { messageOf } from "../../../../src/services/conversations/turn/olderPages.ts"
import { takenBack } from "../../../../src/services/conversations/turn/outbox.ts"
import type { OutboxMessage as KeptMessage } from "../../../../src/services/conversations/turn/outgoing.ts"
import { step } from "../../../../src/services/conversations/turn/step.ts"
import { type ActionResult, createObservable } from "../common/Observable.ts"
import { say } from "../language/say.ts"
import type { Environment } from "../link/Environment.ts"
import { ownFailureText } from "../link/failureText.ts"
import { failureSentence } from "../link/GatewayCallError.ts"
import type { GatewayHello, GatewayLink } from "../link/linkTypes.ts"
import { NOT_LOADED } from "../link/loadedPart.ts"
import type { Outbox } from "../outbox/createOutbox.ts"
import type { OutboxMessage } from "../outbox/outboxMessage.ts"
import type { ChatState, ChatStore, TakenBack, TurnEnd } from "./chatTypes.ts"
import type { WholeMessages } from "./history/WholeMessages.ts"
import { shownChat, shownItem } from "./shownChat.ts"

export interface ChatStoreOptions {
  readonly link: GatewayLink
  readonly env: Environment
  readonly outbox: Pick<Outbox, "send" | "follow" | "act">
  readonly sessionKey: string
  /** Whether the gateway lists the session as working, for the generation whose history doesn't say. */
  readonly isWorking: () => Promise<boolean>
  /** Whether the gateway's own shutdown cut off what it lists, for the same generation. */
  readonly isCut: () => boolean
}

const resultOf = (answer: ActionAnswer): ActionResult =>
  answer.ok ? { ok: true, value: true } : { ok: false, message: ownFailureText(answer.failure) }

/** A message of the outbox, whose failure is in the page's words already. */
const keptMessage = ({ error, ...message }: OutboxMessage): KeptMessage => ({
  ...message,
  error: error === null ? null : { message: error }
})

const abilities = (hello: GatewayHello | null): Conversation["link"] =>
  hello === null
    ? null
    : { protocol: hello.protocol, canRewind: hello.methods.has("sessions.rewind"), startedAt: hello.startedAt }

/** A session's conversation on the link: feeds every event to its state, and carries out what that asks for. */
export function createChatStore({ link, env, outbox, sessionKey, isWorking, isCut }: ChatStoreOptions): ChatStore {
  let whole: WholeMessages | undefined
  /** Few conversations have messages too long for the history. */
  const wholeMessages = async () => {
    const { createWholeMessages } = await import("./history/WholeMessages.ts")
    whole ??= createWholeMessages(link, sessionKey)
    return whole
  }
  const readHistory = async (params: object) => {
    const answer = await link.request("chat.history", params)
    if (whole === undefined && !recordsOf(fieldsOf(answer).messages).some(isLeftOut)) return answer
    const messages = await wholeMessages().catch(() => null)
    return messages === null ? answer : messages.complete(answer)
  }
  let state: Conversation = { ...newConversation(sessionKey), link: abilities(link.hello.get()) }
  const shown = createObservable<ChatState>(shownChat(chatState(state)))
  let published = state
  const timers = new Map<Timer, ReturnType<typeof setTimeout>>()
  const calls = new Map<number, (result: ActionResult) => void>()
  const listeners = new Set<(turn: TurnEnd) => void>()
  let lastCall = 0
  let reading: Promise<void> = Promise.resolve()
  let isDisposed = false

  function dispatch(event: ConversationEvent): void {
    const next = step({ ...state, now: env.now() }, event)
    state = next.state
    for (const effect of next.effects) perform(effect)
  }

  function perform(effect: ConversationEffect): void {
    switch (effect.type) {
      case "publish":
        if (published !== state) shown.set(shownChat(chatState(state)))
        published = state
        break
      case "timer":
        setTimer(effect.timer, effect.ms)
        break
      case "read":
        if (!isDisposed) reading = read(effect.plan)
        break
      case "readOlder":
        reading = older(effect.plan)
          .catch(() => null)
          .then((page) => dispatch({ type: "olderRead", first: effect.first, page }))
        break
      case "request":
        request(effect)
        break
      case "hand":
        outbox.send(effect.message)
        break
      case "again":
        void outbox.act((store) => store.decide(effect.id, "again"))
        break
      case "result":
        calls.get(effect.call)?.(resultOf(effect.result))
        break
      case "turnEnd":
        turnEnded(effect.turn)
    }
  }

  function setTimer(timer: Timer, ms: number | null): void {
    clearTimeout(timers.get(timer))
    timers.delete(timer)
    if (ms === null || isDisposed) return
    const elapsed = () => {
      timers.delete(timer)
      dispatch({ type: "elapsed", timer })
    }
    timers.set(timer, setTimeout(elapsed, ms))
  }

  async function read(plan: ReadPlan): Promise<void> {
    try {
      const page = decodeHistory(await readHistory(plan.params))
      const asks = page.running === null && plan.isWhole && plan.id === state.reads
      const works = asks ? await isWorking() : page.running
      // A gateway that knows no turn to be running says nothing of one that ended without an end.
      const cut = (asks || (page.running === false && !page.endsLast)) && isCut()
      dispatch({ type: "pageRead", plan, page, running: cut ? false : works, isCut: cut })
    } catch (reason) {
      dispatch({ type: "pageFailed", plan, failure: { message: failureSentence(reason) } })
    }
  }

  async function older(plan: OlderPlan): Promise<OlderPage> {
    const { readOlder } = await import("../../../../src/services/conversations/history/readOlder.ts")
    const reading = readOlder(plan)
    let step = reading.next()
    while (step.done !== true) {
      const { method, params } = step.value
      step = reading.next(await (method === "chat.history" ? readHistory(params) : link.request(method, params)))
    }
    return step.value
  }

  function turnEnded({ isStopped, outcome, question, text }: Ended): void {
    // Who stopped a turn needs no notification.
    if (isStopped) return
    for (const listener of [...listeners]) listener({ sessionKey, outcome, text, question: question?.text ?? null })
  }

  function request({ method, params, to }: Extract<ConversationEffect, { type: "request" }>): void {
    link.request(method, params).then(
      (answer) => dispatch({ type: "answered", to, answer: fieldsOf(answer) }),
      (reason) => dispatch({ type: "unanswered", to, failure: { message: failureSentence(reason) } })
    )
  }

  /** Applies a person's action, and waits for the result. */
  const call = (event: (call: number) => ConversationEvent): Promise<ActionResult> =>
    new Promise((resolve) => {
      const id = ++lastCall
      calls.set(id, (result) => {
        calls.delete(id)
        resolve(result)
      })
      dispatch(event(id))
    })

  const takeBack = async (key: string): Promise<ActionResult<TakenBack>> => {
    const taken = takenBack(state, key)
    if (taken === null) return { ok: false, message: say("This message is on its way to the agent already.") }
    const { id, message, isElsewhere } = taken
    if (id !== null) {
      const done = await outbox.act(async (store) => {
        const images = isElsewhere ? await store.pictures(id) : ({ ok: true, value: message.images } as const)
        const removed = images.ok ? await store.remove(id) : images
        return removed.ok ? images : removed
      })
      if (!done.ok) return done
      dispatch({ type: "takeBack", keys: [key] })
      return { ok: true, value: { ...message, images: done.value } }
    }
    dispatch({ type: "takeBack", keys: [key] })
    return { ok: true, value: message }
  }

  const askAgain = async (key: string, text?: string): Promise<ActionResult> => {
    const removed = removedBy(state, key).map(shownItem)
    const parts = removed.length === 0 ? null : await import("./removedParts.ts").catch(() => undefined)
    if (parts === undefined) return NOT_LOADED
    const done = await call((id) => ({ type: "askAgain", key, text, id: env.uuid(), call: id }))
    if (done.ok) parts?.keepLost(link, env.storage, sessionKey, env.now(), removed)
    return done
  }

  const retry = (key: string) => dispatch({ type: "retry", key, id: env.uuid() })

  const resync = async () => {
    dispatch({ type: "resync" })
    await reading
  }

  const stopListening = [
    link.onEvent(({ event, payload }) => {
      const fields = fieldsOf(payload)
      if (fields.sessionKey === sessionKey) dispatch({ type: "frame", event, payload: fields })
    }),
    link.onGap(() => dispatch({ type: "gap" })),
    link.hello.subscribe((hello) => dispatch({ type: "linked", link: abilities(hello) })),
    outbox.follow(sessionKey, (messages) => dispatch({ type: "outbox", messages: messages.map(keptMessage) }))
  ]
  dispatch({ type: "resync" })

  return {
    state: shown,
    send: (text, images = [], mode = "next", notBefore) => {
      if (text.trim() === "" && images.length === 0) return false
      const message = { id: env.uuid(), text, images, mode }
      dispatch({ type: "send", message: notBefore === undefined ? message : { ...message, notBefore } })
      return true
    },
    retry,
    takeBack,
    abort: () => call((id) => ({ type: "abort", call: id })),
    askAgain,
    removedBy: (key) => removedBy(state, key).map(shownItem),
    regenerate: async () => {
      const part = await import("./askedLast.ts").catch(() => null)
      return part?.askLast({ state: () => state, dispatch, resync, retry, askAgain }) ?? NOT_LOADED
    },
    readWhole: async (key) => {
      const source = state.timeline.find(({ item }) => item.key === key)?.source ?? null
      const messages = await wholeMessages().catch(() => null)
      if (messages === null) return { ok: false, message: say("Couldn't load the rest of this message. Try again.") }
      const answer = await messages.read(source)
      if (!answer.ok) return answer
      dispatch({ type: "wholeRead", source: source ?? "", answer: answer.value })
      return { ok: true, value: true }
    },
    loadOlder: async () => {
      dispatch({ type: "loadOlder" })
      await reading
    },
    keysOf: (id) =>
      state.timeline.flatMap(({ item, source }) => (source !== null && messageOf(source) === id ? [item.key] : [])),
    messageOf: (key) => {
      const source = state.timeline.find(({ item }) => item.key === key)?.source ?? null
      return source === null ? null : messageOf(source)
    },
    resync,
    onTurnEnd: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    dispose: () => {
      isDisposed = true
      state = { ...state, reads: state.reads + 1 }
      for (const stop of stopListening) stop()
      for (const timer of timers.values()) clearTimeout(timer)
      listeners.clear()
    }
  }
}
