import { decodeHistory } from "../history/chatHistory.ts"
import { publish, watchSilence } from "./activity.ts"
import { askAgain, rewound, withoutFrom } from "./askAgain.ts"
import {
  type Conversation,
  type ConversationEffect,
  type ConversationEvent,
  isRunning,
  type Timer,
  todo
} from "./Conversation.ts"
import type { ChatItem } from "./chatItems.ts"
import { takeFrame } from "./frames.ts"
import { pageFailed, pageRead } from "./history.ts"
import { loadOlder, olderRead } from "./olderPages.ts"
import { retry, send, takeBack, withOutbox } from "./outbox.ts"
import { GAP_DELAY, read, readSoon, SOON, startAnew } from "./reading.ts"
import type { Timeline } from "./timeline.ts"
import { abort, aborted, cutOff, finish, notAborted } from "./turnLife.ts"

/** The conversation with all of a message; its items keep their place and key. */
function withWhole(timeline: Timeline, source: string, answer: object): Timeline {
  // A tool is also known by its result, which is another message.
  const whole = decodeHistory(answer).entries.filter(({ item }) => item.kind !== "tool")
  const bySource = new Map(whole.map((entry) => [entry.source, entry.item]))
  // A message without an id is recognised by being the only one.
  const only = whole.length === 1 ? whole[0]?.item : undefined
  return timeline.map((entry) => {
    const item = bySource.get(entry.source ?? "") ?? (entry.source === source ? only : undefined)
    return item === undefined
      ? entry
      : { ...entry, item: withPictures(askedFor({ ...item, key: entry.item.key }), entry.item) }
  })
}

/** What a person asked for isn't shortened again where it's shown. */
const askedFor = (item: ChatItem): ChatItem =>
  item.kind === "user" || item.kind === "assistant" ? { ...item, isAskedFor: true } : item

/** Pictures stay as they are shown. */
const withPictures = (item: ChatItem, shown: ChatItem): ChatItem =>
  item.kind === "user" && shown.kind === "user" && shown.images.length > 0 ? { ...item, images: shown.images } : item

export interface Step {
  readonly state: Conversation
  readonly effects: ReadonlyArray<ConversationEffect>
}

/** What an event makes of a conversation, and what to do about it. Knows no link, clock or screen. */
export function step(state: Conversation, event: ConversationEvent): Step {
  const taken = take({ ...state, effects: [] }, event)
  const isOther = isRunning(taken) !== isRunning(state) || taken.status !== state.status || taken.link !== state.link
  // What waits has another reason for it now, or goes.
  const next = isOther && taken.outbox.length > 0 ? withOutbox(taken, taken.outbox) : taken
  return { state: next, effects: next.effects }
}

function take(state: Conversation, event: ConversationEvent): Conversation {
  switch (event.type) {
    case "linked":
      // Responses to requests on the previous link won't arrive any more.
      if (event.link === null) return publish({ ...state, link: null, reads: state.reads + 1 })
      return read(cutOff(startAnew({ ...state, link: event.link, knownIdle: false })), true)
    case "gap":
      return readSoon({ ...state, wholeNext: true }, GAP_DELAY)
    case "frame":
      return takeFrame(state, event.event, event.payload)
    case "elapsed":
      return elapsed(state, event.timer)
    case "answered":
      return answered(state, event)
    case "unanswered":
      return unanswered(state, event)
    case "pageRead":
      return pageRead(state, event)
    case "pageFailed":
      return pageFailed(state, event.plan, event.failure)
    case "olderRead":
      return olderRead(state, event.page, event.first)
    case "wholeRead":
      return publish({ ...state, timeline: withWhole(state.timeline, event.source, event.answer) })
    case "outbox":
      return publish(withOutbox(state, event.messages))
    case "send":
      return send(state, event.message)
    case "retry":
      return retry(state, event.key, event.id)
    case "takeBack":
      return takeBack(state, event.keys)
    case "abort":
      return abort(state, event.call)
    case "askAgain":
      return askAgain(state, event)
    case "removed":
      return publish(readSoon(withoutFrom(state, event.key), SOON))
    case "resync":
      return read(state, true)
    case "loadOlder":
      return loadOlder(state)
  }
}

function answered(state: Conversation, { to, answer }: Extract<ConversationEvent, { type: "answered" }>): Conversation {
  switch (to.of) {
    case "abort":
      return aborted(state, to, answer)
    case "rewind":
      return rewound(state, to, answer)
  }
}

function unanswered(
  state: Conversation,
  { to, failure }: Extract<ConversationEvent, { type: "unanswered" }>
): Conversation {
  switch (to.of) {
    case "abort":
      return notAborted(state, to, failure)
    case "rewind":
      return todo(state, { type: "result", call: to.call, result: { ok: false, failure } })
  }
}

function elapsed(state: Conversation, timer: Timer): Conversation {
  switch (timer) {
    case "paint":
      return publish({ ...state, paints: false })
    case "done":
      return publish({ ...state, activity: "IDLE" })
    case "read":
      return read(state, false)
    case "silence":
      return watchSilence(read(state, true))
    default: {
      const run = state.turns.active.get(timer.slice("grace ".length))
      return run?.ending == null ? state : finish(state, run.id, run.ending)
    }
  }
}
