import type { Why } from "../../../src/contract/failure.ts"
import { englishSentence } from "../../../src/contract/failures.ts"
import type {
  ConversationItem,
  ConversationMedia,
  ConversationState
} from "../../../src/contract/schema/conversation.ts"
import { cutBytes } from "../../../src/services/conversations/cutBytes.ts"
import { shownAnswer } from "../../../src/services/conversations/history/liveMedia.ts"
import type { ChatItem, ChatMedia, ChatState } from "../../../web/src/core/conversation/chatTypes.ts"
import { shownItem } from "../../../web/src/core/conversation/shownChat.ts"

/** An item as a person sees it, whichever side drew it. */
export interface SeenItem {
  readonly [field: string]: unknown
  readonly kind: ChatItem["kind"]
}

/** A conversation as a person sees it. */
export interface SeenState {
  readonly items: ReadonlyArray<SeenItem>
  readonly head: Readonly<Record<string, unknown>>
}

const TOO_LONG = "Left out by the gateway because it's too long."

const sentenceOf = (why: Why | undefined): string | null =>
  why === undefined ? null : (englishSentence(why) ?? why.code)

const seenFile = ({ kind, name, pending, problem, src }: ChatMedia) => ({
  name,
  src: src ?? null,
  type: kind ?? "image",
  isPending: pending === true,
  problem: problem ?? null
})

/** The page's item of what the console sends, where only words differ: notes and problems of files. */
const noteOf = (item: Extract<ConversationItem, { kind: "note" }>): ChatItem => {
  const { at, code, from, key, text } = item
  return shownItem(
    code === undefined ? { kind: "note", key, at, from, text: text ?? "" } : { kind: "note", key, at, from, code }
  )
}

const servedFile = ({ name, pending, problem, src, type }: ConversationMedia) => {
  const shown = shownItem({
    kind: "user",
    key: "",
    at: null,
    text: "",
    images: [{ name: name ?? "", src: src ?? null, ...(problem === undefined ? {} : { problem }) }],
    delivery: "sent",
    error: null
  })
  const file = shown.kind === "user" ? shown.images[0] : undefined
  return { name: name ?? "", src: src ?? null, type, isPending: pending === true, problem: file?.problem ?? null }
}

/** What a tool has written as far as it's shown: the console leaves out the middle. */
const seenOutput = ({ isCut, output }: { readonly isCut?: true; readonly output: string }) => {
  const words = isCut === true ? output.replace(new RegExp(`(?:\\n… )?${TOO_LONG}$`), "") : output
  return cutBytes(words).text
}

const seenOnPage = (item: ChatItem): SeenItem => {
  const { at, kind } = item
  switch (item.kind) {
    case "user": {
      const { delivery, error, images, isCut, isHanded, text, waits } = item
      return {
        kind,
        at,
        text,
        isCut: isCut === true,
        media: images.map(seenFile),
        delivery,
        why: error,
        isUnread: isHanded === true,
        waits:
          delivery === "held" && waits !== undefined ? [waits.mode, waits.notBefore, waits.position, waits.state] : null
      }
    }
    case "assistant": {
      const { injected, isCut, model, streaming, usage } = item
      const { media, text } = shownAnswer(item)
      return {
        kind,
        at,
        text,
        isCut: isCut === true,
        streaming,
        model,
        injected,
        media: media.map(seenFile),
        usage: usage === null ? null : [usage.input, usage.output, usage.cost]
      }
    }
    case "thinking":
      return { kind, at, text: item.text, streaming: item.streaming }
    case "tool": {
      const { args, callId, durationMs, name, startedAt, status, title } = item
      return { kind, at, callId, name, title, args, output: seenOutput(item), status, startedAt, durationMs }
    }
    case "note":
      return { kind, at, from: item.from, text: item.text }
    case "error":
      return { kind, at, why: item.message }
    case "aborted":
      return { kind, at }
  }
}

const seenOnServer = (item: ConversationItem): SeenItem => {
  const { at, kind } = item
  switch (item.kind) {
    case "user": {
      const { cut, delivery, media, read, text, waits, why } = item
      return {
        kind,
        at,
        text,
        isCut: cut === true,
        media: media.map(servedFile),
        delivery,
        why: sentenceOf(why),
        isUnread: read === false,
        waits: waits === undefined ? null : [waits.mode, waits.notBefore ?? null, waits.position, waits.state]
      }
    }
    case "assistant": {
      const { cut, injected, media = [], model, streaming, text, usage } = item
      return {
        kind,
        at,
        text,
        isCut: cut === true,
        streaming,
        model: model ?? null,
        injected: injected === true,
        media: media.map(servedFile),
        usage: usage === undefined ? null : [usage.input, usage.output, usage.cost ?? null]
      }
    }
    case "thinking":
      return { kind, at, text: item.text, streaming: item.streaming }
    case "tool": {
      const { args, callId, durationMs, name, output, startedAt, status, title } = item
      return {
        kind,
        at,
        callId,
        name,
        title: title ?? null,
        args,
        output,
        status,
        startedAt: startedAt ?? null,
        durationMs: durationMs ?? null
      }
    }
    case "note":
      return seenOnPage(noteOf(item))
    case "error":
      return { kind, at, why: sentenceOf(item.why) }
    case "aborted":
      return { kind, at }
  }
}

/** The page's conversation as a person sees it. */
export const seenByPage = (state: ChatState): SeenState => {
  const { activity, aborting, deleted, hasOlder, isUnknown, items, linked, message, phase, queued, running, status } =
    state
  return {
    items: items.map(seenOnPage),
    head: {
      status,
      why: status === "failed" ? message : null,
      linked,
      deleted,
      isUnknown: isUnknown === true,
      activity,
      running,
      isStopping: aborting,
      // Screens show it only until the first word.
      phase: activity === "THINKING" ? phase : null,
      queued,
      hasOlder
    }
  }
}

/** The console's conversation as a person sees it. */
export const seenByServer = ({ head, items }: ConversationState): SeenState => ({
  items: items.map(seenOnServer),
  head: {
    status: head.status,
    why: head.status === "failed" ? sentenceOf(head.why) : null,
    linked: head.linked,
    deleted: head.deleted,
    isUnknown: head.unknown,
    activity: head.activity,
    running: head.running,
    isStopping: head.stopping,
    phase: head.phase ?? null,
    queued: head.queued,
    hasOlder: head.older !== undefined
  }
})
