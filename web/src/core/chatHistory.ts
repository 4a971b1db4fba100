import type { AssistantItem, ChatItem, ToolItem, UserItem } from "./chatTypes.ts"
import { type Fields, fieldsOf, filledText, listOf, numberOf, recordOf, recordsOf, textOf } from "./decode.ts"
import { runErrorSentence } from "./runError.ts"
import { contentText, namedTool } from "./toolText.ts"

/** A message part as the gateway keeps it; `item.key` is `source` until a live item lends it its own. */
export interface HistoryEntry {
  /** Made of the message's id and the part's place: the same in every read. */
  readonly source: string
  readonly item: ChatItem
  /** The run that wrote it, where the gateway tells. */
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
  /** Payloads of `agent` events so far, as far as the gateway kept them. */
  readonly events: ReadonlyArray<Fields>
}

export interface PendingInput {
  readonly runId: string
  readonly text: string
  readonly at: number | null
  readonly cancelled: boolean
}

/** A decoded answer of `chat.history`, oldest first. */
export interface HistoryPage {
  readonly entries: ReadonlyArray<HistoryEntry>
  readonly ends: ReadonlyArray<TurnMark>
  /** The last message ends a turn. */
  readonly endsLast: boolean
  readonly messageCount: number
  /** Null where the gateway does not say. */
  readonly hasMore: boolean | null
  readonly inFlight: InFlight | null
  /** Whether a turn runs, null where the gateway does not say. */
  readonly running: boolean | null
  readonly pending: ReadonlyArray<PendingInput>
}

/** Roles of rows that are the gateway's own and never shown. */
const INTERNAL: ReadonlySet<string> = new Set(["custom", "system", "compactionSummary", "branchSummary"])

function userItem(key: string, message: Fields, at: number | null): UserItem {
  const meta = fieldsOf(message.__openclaw)
  const parts = listOf(message.content).filter((part) => fieldsOf(part).type === "image")
  const media = parts.length > 0 ? parts : listOf(meta.media)
  return {
    kind: "user",
    key,
    at,
    text: contentText(message.content),
    images: media.map((part) => ({ name: filledText(fieldsOf(part).fileName) ?? "image", src: null })),
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

/** The run a user message started is its idempotency key, kept as `<run id>:user`. */
const runOf = (message: Fields): string | null => {
  const meta = fieldsOf(message.__openclaw)
  const idem = /^(.*):(user|assistant|terminal-error)$/s.exec(textOf(message.idempotencyKey) ?? "")
  return textOf(meta.runId) ?? textOf(fieldsOf(message.openclawAbort).runId) ?? idem?.[1] ?? null
}

const isStopped = (message: Fields): boolean => fieldsOf(message.openclawAbort).aborted === true

/** One gateway generation lists what was said before a stop twice: as its own note and as the model's message. */
function saidTwice(messages: ReadonlyArray<Fields>, index: number): boolean {
  const message = messages[index]
  if (message === undefined || message.stopReason !== "aborted" || isStopped(message)) return false
  const text = contentText(message.content)
  return messages
    .slice(Math.max(0, index - 3), index + 4)
    .some((other) => isStopped(other) && contentText(other.content) === text)
}

/**
 * In a new session one gateway generation writes the note of a stop before the question that was stopped: such a note
 * moves behind the older messages that follow it.
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
    if (isStopped(message)) notes = [...notes, message]
    else ordered.push(message)
  }
  return [...ordered, ...notes]
}

/** Reads an answer of `chat.history`; whatever it does not know it leaves out (gateway protocol, "Chat"). */
export function decodeHistory(payload: unknown): HistoryPage {
  const page = fieldsOf(payload)
  const messages = notesInOrder(recordsOf(page.messages))
  const entries: Array<HistoryEntry> = []
  const ends: Array<TurnMark> = []
  const used = new Set<string>()
  const tools = new Map<string, number>()

  const add = (source: string, runId: string | null, item: ChatItem) => {
    let unique = source
    while (used.has(unique)) unique += "~"
    used.add(unique)
    entries.push({ source: unique, runId, item: { ...item, key: unique } })
  }

  messages.forEach((message, index) => {
    const meta = fieldsOf(message.__openclaw)
    const at = numberOf(message.timestamp)
    const id = textOf(meta.id) ?? `${textOf(message.role)}-${numberOf(meta.seq) ?? at}`
    const runId = runOf(message)
    if (message.role === "user") {
      if (fieldsOf(message.provenance).sourceTool === "subagent_announce") return
      add(id, runId, userItem(id, message, at))
    } else if (message.role === "toolResult") {
      finishTool(message, id, at, runId)
    } else if (message.role === "assistant") {
      assistant(message, id, at, runId, saidTwice(messages, index))
    } else if (!INTERNAL.has(textOf(message.role) ?? "")) {
      // A message of a kind nobody knows yet shows as its text, so that nothing that was said is hidden.
      const text = contentText(message.content)
      const base = { streaming: false, model: null, injected: true, usage: null } as const
      if (text.trim() !== "") add(id, runId, { kind: "assistant", key: id, at, text, ...base })
    }
  })

  function assistant(message: Fields, id: string, at: number | null, runId: string | null, twice: boolean): void {
    const stopped = isStopped(message)
    const failed = message.stopReason === "error"
    if (message.stopReason !== "toolUse") ends.push({ runId, at })
    if (twice) return
    const parts =
      typeof message.content === "string" ? [{ type: "text", text: message.content }] : listOf(message.content)
    parts.forEach((entry, index) => {
      const part = fieldsOf(entry)
      const key = `${id}.${index}`
      const text = filledText(part.text)
      const thinking = filledText(part.thinking)
      if (part.type === "toolCall") {
        const callId = textOf(part.id) ?? key
        const { name, args } = namedTool(part.name, part.arguments)
        tools.set(callId, entries.length)
        const base = { title: null, output: "", status: "running", startedAt: at, durationMs: null } as const
        add(key, runId, { kind: "tool", key, at, callId, name, args, ...base })
      } else if (part.type === "thinking" && thinking !== null) {
        add(key, runId, { kind: "thinking", key, at, text: thinking, streaming: false })
      } else if (part.type === "text" && text !== null && !failed) {
        const injected = message.model === "gateway-injected" && !stopped
        const model = message.model === "gateway-injected" ? null : filledText(message.model)
        add(key, runId, {
          kind: "assistant",
          key,
          at,
          text,
          streaming: false,
          model,
          injected,
          usage: usageOf(message)
        })
      }
    })
    if (failed) {
      const raw = textOf(message.errorMessage) ?? contentText(message.content)
      add(`${id}.error`, runId, { kind: "error", key: id, at, message: runErrorSentence(raw) })
    }
    if (stopped || message.stopReason === "aborted") add(`${id}.aborted`, runId, { kind: "aborted", key: id, at })
  }

  function finishTool(message: Fields, id: string, at: number | null, runId: string | null): void {
    const callId = textOf(message.toolCallId) ?? id
    const result = {
      output: contentText(message.content),
      status: message.isError === true ? "error" : "done"
    } as const
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
  return {
    entries: closeOldTools(entries),
    ends,
    endsLast: messages.at(-1)?.role === "assistant" && messages.at(-1)?.stopReason !== "toolUse",
    messageCount: messages.length,
    hasMore: typeof page.hasMore === "boolean" ? page.hasMore : null,
    inFlight,
    running: inFlight !== null ? true : typeof info?.hasActiveRun === "boolean" ? info.hasActiveRun : null,
    pending: listOf(fieldsOf(page.pendingInputs).items).flatMap((entry) => {
      const fields = fieldsOf(entry)
      const runId = textOf(fields.runId)
      const message = fieldsOf(fields.message)
      const text = contentText(message.content)
      return runId === null || text === ""
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

/** A tool without a result has ended when the conversation went on after it. */
function closeOldTools(entries: ReadonlyArray<HistoryEntry>): ReadonlyArray<HistoryEntry> {
  const last = entries.findLastIndex(({ item }) => item.kind !== "tool")
  return entries.map((entry, index) =>
    index < last && entry.item.kind === "tool" && entry.item.status === "running"
      ? { ...entry, item: { ...entry.item, status: "aborted" } satisfies ToolItem }
      : entry
  )
}
