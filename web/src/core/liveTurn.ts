import type { AbortedItem, AssistantItem, ChatItem, ErrorItem, ThinkingItem, ToolItem } from "./chatTypes.ts"
import { type Fields, fieldsOf, filledText, numberOf, textOf } from "./decode.ts"
import { namedTool, toolOutput } from "./toolText.ts"

/** An item on screen, and where it comes from. */
export interface Entry {
  readonly item: ChatItem
  /** The place in the gateway's history it was found at; null while it is only known from events or from this page. */
  readonly source: string | null
  /** The run it belongs to; for a user message the run it asks for. */
  readonly runId: string | null
}

/** A turn that this page has heard of. */
export interface Run {
  readonly id: string
  /** Gateway time, null when its start was missed. */
  startedAt: number | null
  /** Gateway time of its last message, null while it runs. */
  endedAt: number | null
  /** Items made so far; numbers their keys. */
  count: number
  /** Text comes in segments by `agent` events; the `chat` events, which hold all segments as one, are then left aside. */
  segmented: boolean
  /** When its last frame came, in the order of `Turns.mark`. */
  heardAt: number
}

/** Whether a message stands behind the running turn. */
export const waits = (item: ChatItem): boolean =>
  item.kind === "user" && (item.delivery === "queued" || item.delivery === "held")

type Timeline = ReadonlyArray<Entry>

/** Adds an item where a running turn grows: after everything but the messages that wait for their own turn. */
export function append(timeline: Timeline, entry: Entry): Timeline {
  let index = timeline.length
  while (index > 0) {
    const item = timeline[index - 1]?.item
    if (item === undefined || !waits(item)) break
    index--
  }
  return timeline.toSpliced(index, 0, entry)
}

const replace = (timeline: Timeline, index: number, entry: Entry, item: ChatItem): Timeline =>
  timeline.with(index, { ...entry, item })

const nextKey = (run: Run): string => `${run.id}/${run.count++}`

/** Ends the growing text items of a run, for a tool or another segment follows. */
function closeText(timeline: Timeline, runId: string): Timeline {
  return timeline.some(({ item, runId: id }) => id === runId && "streaming" in item && item.streaming)
    ? timeline.map((entry) =>
        entry.runId === runId && "streaming" in entry.item && entry.item.streaming
          ? { ...entry, item: { ...entry.item, streaming: false } }
          : entry
      )
    : timeline
}

/** Whether `text` is what `before` has grown to, rather than the start of another segment. */
function continues(before: string, text: string, delta: string | null): boolean {
  if (delta === text && before !== "" && before !== text) return false
  const shared = Math.min(before.length, text.length, 40)
  return before.slice(0, shared) === text.slice(0, shared)
}

/** Takes the text of a run so far; every event holds all of its segment, so a lost one does no harm. */
export function growText(
  timeline: Timeline,
  run: Run,
  kind: "assistant" | "thinking",
  text: string,
  delta: string | null,
  at: number | null
): Timeline {
  const index = timeline.findLastIndex(({ runId, item }) => runId === run.id && item.kind !== "user")
  const entry = timeline[index]
  const item = entry?.item
  if (entry !== undefined && item?.kind === kind && item.streaming && continues(item.text, text, delta)) {
    if (item.text === text || (delta === null && item.text.startsWith(text))) return timeline
    return replace(timeline, index, entry, { ...item, text })
  }
  if (text.trim() === "") return timeline
  const base = { key: nextKey(run), at, text, streaming: true }
  const made: AssistantItem | ThinkingItem =
    kind === "thinking" ? { ...base, kind } : { ...base, kind, model: null, injected: false, usage: null }
  return append(closeText(timeline, run.id), { item: made, source: null, runId: run.id })
}

function tool(timeline: Timeline, run: Run, data: Fields, at: number | null): Timeline {
  const callId = filledText(data.toolCallId)
  if (callId === null || filledText(data.parentToolCallId) !== null) return timeline
  const index = timeline.findLastIndex(
    ({ item, runId }) => item.kind === "tool" && item.callId === callId && runId === run.id
  )
  const entry = timeline[index]
  const known = entry?.item.kind === "tool" ? entry.item : null
  const named = namedTool(data.name, data.args)
  const before: ToolItem = known ?? {
    kind: "tool",
    key: nextKey(run),
    at,
    callId,
    name: named.name,
    title: null,
    args: null,
    output: "",
    status: "running",
    startedAt: at,
    durationMs: null
  }
  const item = toolAfter(before, data, named, at)
  if (entry !== undefined) return replace(timeline, index, entry, item)
  return append(closeText(timeline, run.id), { item, source: null, runId: run.id })
}

function toolAfter(
  before: ToolItem,
  data: Fields,
  named: { name: string; args: unknown },
  at: number | null
): ToolItem {
  const title = filledText(data.meta) ?? before.title
  if (data.phase === "start")
    return before.args === null ? { ...before, title, name: named.name, args: named.args } : before
  // A result is final: updates that come late do not open the card again.
  if (before.status !== "running") return before
  if (data.phase === "update") return { ...before, title, output: toolOutput(data.partialResult) || before.output }
  if (data.phase !== "result") return before
  const took = numberOf(fieldsOf(fieldsOf(data.result).details).durationMs)
  return {
    ...before,
    title,
    output: toolOutput(data.result) || before.output,
    status: data.isError === true ? "error" : "done",
    durationMs: took ?? (at !== null && before.startedAt !== null ? Math.max(0, at - before.startedAt) : null)
  }
}

/** Tool events go to the asker only; items tell everybody else that a tool is used. Nested calls have colons in their id. */
function item(timeline: Timeline, run: Run, data: Fields, at: number | null): Timeline {
  const { toolCallId, name, meta, phase } = data
  if (data.kind !== "tool" || name === "tool_call" || (textOf(toolCallId) ?? ":").includes(":")) return timeline
  if (phase === "start") return tool(timeline, run, { toolCallId, name, meta }, at)
  const known = timeline.some(
    ({ item, runId }) => runId === run.id && item.kind === "tool" && item.callId === toolCallId
  )
  if (phase !== "end" || !known) return timeline
  return tool(timeline, run, { phase: "result", toolCallId, meta, isError: data.status === "failed" }, at)
}

/** Takes one `agent` event of a running turn (gateway protocol, "Chat"). */
export function applyAgent(timeline: Timeline, run: Run, payload: Fields): Timeline {
  const data = fieldsOf(payload.data)
  const at = numberOf(payload.ts)
  const text = textOf(data.text)
  switch (payload.stream) {
    case "assistant":
      if (text === null) return timeline
      run.segmented = true
      return growText(timeline, run, "assistant", text, textOf(data.delta), at)
    case "thinking":
      return text === null ? timeline : growText(timeline, run, "thinking", text, textOf(data.delta), at)
    case "tool":
      return tool(timeline, run, data, at)
    case "item":
      return item(timeline, run, data, at)
    default:
      return timeline
  }
}

/** Closes a turn: nothing of it grows any more, tools without a result were cut off, and the reason is the last item. */
export function closeRun(
  timeline: Timeline,
  run: Run,
  end: { readonly outcome: "done" | "error" | "aborted"; readonly message: string; readonly at: number | null }
): Timeline {
  const closed = closeText(timeline, run.id).map((entry) =>
    entry.runId === run.id && entry.item.kind === "tool" && entry.item.status === "running" && end.outcome !== "done"
      ? { ...entry, item: { ...entry.item, status: "aborted" as const } }
      : entry
  )
  if (end.outcome === "done") return closed
  const item: ErrorItem | AbortedItem =
    end.outcome === "error"
      ? { kind: "error", key: nextKey(run), at: end.at, message: end.message }
      : { kind: "aborted", key: nextKey(run), at: end.at }
  return append(closed, { item, source: null, runId: run.id })
}
