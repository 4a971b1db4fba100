import { beforeCut, LEFT_OUT } from "../../../contract/cutText.ts"
import {
  type Fields,
  fieldsOf,
  filledText,
  listOf,
  numberOf,
  recordOf,
  recordsOf,
  textOf
} from "../../../contract/looseFields.ts"
import { migratedText, unwrapped, withoutSender } from "../../../contract/unwrapped.ts"
import type { AssistantItem, ChatItem, ToolItem, UserItem } from "../turn/chatItems.ts"
import { agentOfKey } from "./agentOfKey.ts"
import { eventNote, markNote, type Note, noteOf, splitEvents } from "./gatewayNotes.ts"
import { type ChatMedia, mediaAt, takeMediaLines } from "./mediaLines.ts"
import { type MessagePlace, mediaOfPart, personMedia } from "./messageMedia.ts"
import { runErrorOf } from "./runError.ts"
import { isStopNote, stoppedTurns } from "./stoppedTurns.ts"
import { contentText, namedTool, toolEnd } from "./toolText.ts"

const markOf = (message: Fields): Fields => fieldsOf(message.__openclaw)

/** Whether the history only says that a message exists. */
export const isLeftOut = (message: Fields): boolean =>
  markOf(message).truncated === true && markOf(message).reason === "oversized"

/** A message's text without the gateway's remark about its length, and whether there was more of it. */
function uncut(text: string, message: Fields): { readonly text: string; readonly isCut: boolean } {
  if (isLeftOut(message) && LEFT_OUT.test(text.trim())) return { text: "", isCut: true }
  const kept = beforeCut(text)
  return kept === undefined ? { text, isCut: false } : { text: kept, isCut: true }
}

/** A message's id, null if the gateway gives none. */
export const messageIdOf = (message: Fields): string | null => textOf(markOf(message).id)

const GOES_ON: ReadonlySet<string> = new Set(["assistant", "thinking", "tool"])

/** A gateway that retries after a failure stores every failure: show one, and none if the turn continued. */
function errorsOnce<E extends { readonly item: ChatItem }>(entries: ReadonlyArray<E>): ReadonlyArray<E> {
  const kept: Array<E> = []
  for (const entry of entries) {
    const last = kept.at(-1)?.item
    const { item } = entry
    if (last?.kind === "error" && item.kind === "error" && item.failure.message === last.failure.message) continue
    if (last?.kind === "error" && GOES_ON.has(item.kind)) kept.pop()
    kept.push(entry)
  }
  return kept
}

/** A message part as the gateway stores it; `item.key` is `source` until it takes over a live item's key. */
export interface HistoryEntry {
  /** Made from the message's id and the part's index: the same in every read. */
  readonly source: string
  readonly item: ChatItem
  /** The run that wrote it, if the gateway says. */
  readonly runId: string | null
}

/** A turn's last message. */
export interface TurnMark {
  readonly runId: string | null
  readonly at: number | null
}

export interface InFlight {
  readonly runId: string
  readonly text: string
  readonly startedAt: number | null
  /** Payloads of `agent` events so far, as far as the gateway stored them. */
  readonly events: ReadonlyArray<Fields>
}

export interface PendingInput {
  readonly runId: string
  readonly text: string
  readonly at: number | null
  readonly cancelled: boolean
}

/** A decoded `chat.history` response, oldest first. */
export interface HistoryPage {
  /** Null for a session that doesn't exist. */
  readonly sessionId: string | null
  readonly entries: ReadonlyArray<HistoryEntry>
  readonly ends: ReadonlyArray<TurnMark>
  /** The last message ends a turn. */
  readonly endsLast: boolean
  readonly messageCount: number
  /** Null if the gateway doesn't say. */
  readonly hasMore: boolean | null
  readonly inFlight: InFlight | null
  /** Whether a turn is running, null if the gateway doesn't say. */
  readonly running: boolean | null
  readonly pending: ReadonlyArray<PendingInput>
}

/** Roles of the gateway's own rows, which are never shown. */
const INTERNAL: ReadonlySet<string> = new Set(["custom", "system", "compactionSummary", "branchSummary"])

function userItem(key: string, message: Fields, text: string, place: MessagePlace, at: number | null): UserItem {
  const found = uncut(text, message)
  return {
    kind: "user",
    key,
    at,
    text: found.text,
    images: personMedia(message, place),
    ...(found.isCut ? { isCut: true } : {}),
    delivery: "sent",
    error: null
  }
}

function usageOf(message: Fields): AssistantItem["usage"] {
  const usage = recordOf(message.usage)
  const input = numberOf(usage?.input)
  const output = numberOf(usage?.output)
  if (input === null || output === null || input + output === 0) return null
  return { input, output, cost: numberOf(fieldsOf(usage?.cost).total) }
}

/** The run started by a user message is its idempotency key, stored as `<run id>:user`. */
const runOf = (message: Fields): string | null => {
  const meta = fieldsOf(message.__openclaw)
  const key = textOf(message.idempotencyKey) ?? textOf(meta.idempotencyKey)
  const idem = /^(.*):(user|assistant|terminal-error)$/s.exec(key ?? "")
  return textOf(meta.runId) ?? textOf(fieldsOf(message.openclawAbort).runId) ?? idem?.[1] ?? null
}

/**
 * In a new session one gateway generation writes the note about a stop before the question that was stopped. Such a
 * note moves after the older messages that follow it.
 */
function notesInOrder(messages: ReadonlyArray<Fields>): ReadonlyArray<Fields> {
  const ordered: Array<Fields> = []
  let notes: ReadonlyArray<Fields> = []
  const timeOf = (message: Fields | undefined) => numberOf(message?.timestamp) ?? 0
  for (const message of messages) {
    if (timeOf(message) >= timeOf(notes[0])) {
      ordered.push(...notes)
      notes = []
    }
    if (isStopNote(message)) notes = [...notes, message]
    else ordered.push(message)
  }
  return [...ordered, ...notes]
}

/**
 * Whether an agent's message ends its turn. One gateway generation gives what was said before a tool as a message of
 * its own, a segment without a reason to stop.
 */
const endsTurn = (message: Fields): boolean =>
  message.stopReason !== "toolUse" && fieldsOf(message.openclawStreamFallback).source !== "segment"

/** What a person typed. A message that has its sender's id was stored without anything before it. */
const typedText = (message: Fields, at: number | null): string => {
  const text = contentText(message.content)
  const key = textOf(message.idempotencyKey) ?? textOf(fieldsOf(message.__openclaw).idempotencyKey)
  return key === null ? migratedText(text, at) : text
}

/** Reads a `chat.history` response; ignores what it doesn't know. */
export function decodeHistory(payload: unknown): HistoryPage {
  const page = fieldsOf(payload)
  const { messages, cutTools } = stoppedTurns(notesInOrder(recordsOf(page.messages)))
  const entries: Array<HistoryEntry> = []
  const ends: Array<TurnMark> = []
  const used = new Set<string>()
  const tools = new Map<string, number>()
  const agent = agentOfKey(textOf(page.sessionKey) ?? "")
  const sessionId = filledText(page.sessionId)

  const add = (source: string, runId: string | null, item: ChatItem) => {
    let unique = source
    while (used.has(unique)) unique += "~"
    used.add(unique)
    entries.push({ source: unique, runId, item: { ...item, key: unique } })
  }
  const addNote = (id: string, runId: string | null, at: number | null, note: Note) =>
    add(`${id}.note`, runId, { kind: "note", key: id, at, ...note })

  messages.forEach((message) => {
    const meta = fieldsOf(message.__openclaw)
    const at = numberOf(message.timestamp)
    const id = textOf(meta.id) ?? `${textOf(message.role)}-${numberOf(meta.seq) ?? at}`
    const runId = runOf(message)
    const isDialogue = message.role === "user" || message.role === "assistant"
    const said = message.role === "user" ? typedText(message, at) : contentText(message.content)
    const note = isDialogue ? noteOf(message, said) : markNote(message)
    if (note === "hidden") return
    if (note !== null) {
      addNote(id, runId, at, note)
    } else if (message.role === "user") {
      const { events, rest } = splitEvents(said)
      for (const event of events) addNote(id, runId, at, eventNote(event))
      const text = events.length === 0 ? rest : unwrapped(rest)
      const prompt = events.length === 0 ? null : noteOf(message, text)
      const place = { agent, sessionId, messageId: textOf(meta.id) }
      if (prompt !== null && prompt !== "hidden") addNote(id, runId, at, prompt)
      else if (text !== "" || events.length === 0) add(id, runId, userItem(id, message, text, place, at))
    } else if (message.role === "toolResult") {
      finishTool(message, id, at, runId)
    } else if (message.role === "assistant") {
      assistant(message, id, at, runId)
    } else if (!INTERNAL.has(textOf(message.role) ?? "")) {
      // A message of an unknown kind is shown as its text, so that nothing said is hidden.
      const text = contentText(message.content)
      const base = { streaming: false, model: null, injected: true, usage: null } as const
      if (text.trim() !== "") add(id, runId, { kind: "assistant", key: id, at, text, ...base })
    }
  })

  function assistant(message: Fields, id: string, at: number | null, runId: string | null): void {
    const stopped = isStopNote(message)
    const failed = message.stopReason === "error"
    if (endsTurn(message)) ends.push({ runId, at })
    const parts =
      typeof message.content === "string" ? [{ type: "text", text: message.content }] : listOf(message.content)
    let said: number | null = null
    const speak = (key: string, text: string, more: Partial<AssistantItem>) => {
      const injected = message.model === "gateway-injected" && !stopped
      const model = message.model === "gateway-injected" ? null : filledText(message.model)
      const usage = usageOf(message)
      said = entries.length
      add(key, runId, { kind: "assistant", key, at, text, streaming: false, model, injected, usage, ...more })
    }
    /** Files go with the text before them. */
    const send = (key: string, media: ReadonlyArray<ChatMedia>) => {
      const before = said === null ? undefined : entries[said]
      if (said === null || before?.item.kind !== "assistant") speak(key, "", { media })
      else entries[said] = { ...before, item: { ...before.item, media: [...(before.item.media ?? []), ...media] } }
    }
    parts.forEach((entry, index) => {
      const part = fieldsOf(entry)
      const key = `${id}.${index}`
      const text = filledText(part.text)
      const thinking = filledText(part.thinking)
      const media = mediaOfPart(part)
      if (part.type === "toolCall") {
        said = null
        const callId = textOf(part.id) ?? key
        const { name, args } = namedTool(part.name, part.arguments)
        tools.set(callId, entries.length)
        const base = { title: null, output: "", status: "running", startedAt: at, durationMs: null } as const
        add(key, runId, { kind: "tool", key, at, callId, name, args, ...base })
      } else if (part.type === "thinking" && thinking !== null) {
        add(key, runId, { kind: "thinking", key, at, text: thinking, streaming: false })
      } else if (part.type === "text" && text !== null && !failed) {
        const whole = uncut(text, message)
        const taken = takeMediaLines(whole.text)
        if (taken.text !== "" || whole.isCut) speak(key, taken.text, whole.isCut ? { isCut: true } : {})
        if (taken.places.length > 0)
          send(
            key,
            taken.places.map((place) => mediaAt(place, agent))
          )
      } else if (media !== null) {
        send(key, [media])
      }
    })
    if (failed) {
      const raw = textOf(message.errorMessage) ?? contentText(message.content)
      const { provider, model } = message
      const failedModel = model === "gateway-injected" ? {} : { provider, model }
      add(`${id}.error`, runId, { kind: "error", key: id, at, failure: runErrorOf(raw, failedModel) })
    }
    if (stopped || message.stopReason === "aborted") add(`${id}.aborted`, runId, { kind: "aborted", key: id, at })
  }

  function finishTool(message: Fields, id: string, at: number | null, runId: string | null): void {
    const callId = textOf(message.toolCallId) ?? id
    const { text: output, isCut } = uncut(contentText(message.content), message)
    const status = cutTools.has(message.toolCallId) ? "aborted" : toolEnd(message.isError === true, output)
    const result = { output, status, ...(isCut ? { isCut } : {}) } as const
    const index = tools.get(callId)
    const before = index === undefined ? undefined : entries[index]
    if (index !== undefined && before?.item.kind === "tool") {
      entries[index] = { ...before, item: { ...before.item, ...result } }
      return
    }
    const { name, args } = namedTool(message.toolName, null)
    const base = { title: null, startedAt: null, durationMs: null }
    add(id, runId, { kind: "tool", key: id, at, callId, name, args, ...base, ...result })
  }

  const info = recordOf(page.sessionInfo)
  const inFlight = inFlightRun(page.inFlightRun)
  const last = messages.at(-1)
  return {
    sessionId: filledText(page.sessionId),
    entries: errorsOnce(closeOldTools(entries)),
    ends,
    endsLast: last?.role === "assistant" && endsTurn(last) && last.provenance === undefined,
    messageCount: messages.length,
    hasMore: typeof page.hasMore === "boolean" ? page.hasMore : null,
    inFlight,
    running: inFlight !== null ? true : typeof info?.hasActiveRun === "boolean" ? info.hasActiveRun : null,
    pending: listOf(fieldsOf(page.pendingInputs).items).flatMap((entry) => {
      const fields = fieldsOf(entry)
      const runId = textOf(fields.runId)
      const message = fieldsOf(fields.message)
      const text = contentText(message.content)
      return runId === null || text === "" || message.provenance !== undefined
        ? []
        : [{ runId, text, at: numberOf(message.timestamp), cancelled: fields.state !== "queued" }]
    })
  }
}

function inFlightRun(value: unknown): InFlight | null {
  const fields = fieldsOf(value)
  const runId = textOf(fields.runId)
  if (runId === null) return null
  return {
    runId,
    text: textOf(fields.text) ?? "",
    startedAt: numberOf(fields.startedAt),
    events: recordsOf(fields.events)
  }
}

/** A tool without a result has ended if the conversation continued after it. */
function closeOldTools(entries: ReadonlyArray<HistoryEntry>): ReadonlyArray<HistoryEntry> {
  const last = entries.findLastIndex(({ item }) => item.kind !== "tool")
  return entries.map((entry, index) =>
    index < last && entry.item.kind === "tool" && entry.item.status === "running"
      ? { ...entry, item: { ...entry.item, status: "aborted" } satisfies ToolItem }
      : entry
  )
}

function bare(content: unknown): unknown {
  if (typeof content === "string") return withoutSender(content)
  return listOf(content).map((part) => {
    const text = textOf(fieldsOf(part).text)
    return text === null ? part : { ...fieldsOf(part), text: withoutSender(text) }
  })
}

/** Messages as `sessions.get` stores them, in the form of `chat.history`. */
export function withoutEnvelopes(answer: unknown): unknown {
  const messages = listOf(fieldsOf(answer).messages).map((message) => {
    const fields = fieldsOf(message)
    return fields.role === "user" ? { ...fields, content: bare(fields.content) } : message
  })
  return { messages }
}
