import { type Fields, fieldsOf, filledText, numberOf, textOf } from "../../../contract/looseFields.ts"
import { expectMedia } from "../history/liveMedia.ts"
import { namedTool, toolEnd, toolOutput } from "../history/toolText.ts"
import type { AbortedItem, AssistantItem, ChatItem, ErrorItem, ThinkingItem, ToolItem } from "./chatItems.ts"
import { append, type Entry, type Timeline } from "./timeline.ts"
import type { Run, RunEnd } from "./turns.ts"

/** A running turn, and the timeline it grows in. */
export interface Live {
  readonly timeline: Timeline
  readonly run: Run
}

const replaced = (live: Live, index: number, entry: Entry, item: ChatItem): Live => ({
  ...live,
  timeline: live.timeline.with(index, { ...entry, item })
})

/** Ends a run's growing text items, because a tool or another segment follows. */
function closeText(timeline: Timeline, runId: string): Timeline {
  return timeline.some(({ item, runId: id }) => id === runId && "streaming" in item && item.streaming)
    ? timeline.map((entry) =>
        entry.runId === runId && "streaming" in entry.item && entry.item.streaming
          ? { ...entry, item: { ...entry.item, streaming: false } }
          : entry
      )
    : timeline
}

/** The turn with another item under a new key. */
function added({ timeline, run }: Live, make: (key: string) => ChatItem): Live {
  const item = make(`${run.id}/${run.count}`)
  const entry = { item, source: null, runId: run.id }
  return { timeline: append(closeText(timeline, run.id), entry), run: { ...run, count: run.count + 1 } }
}

/** Whether `text` is a continuation of `before`, rather than the start of another segment. */
function continues(before: string, text: string, delta: string | null): boolean {
  if (delta === text && before !== "" && before !== text) return false
  const shared = Math.min(before.length, text.length, 40)
  return before.slice(0, shared) === text.slice(0, shared)
}

/** Takes the text of a run so far; every event holds its whole segment, so a lost one does no harm. */
export function growText(
  live: Live,
  kind: "assistant" | "thinking",
  text: string,
  delta: string | null,
  at: number | null
): Live {
  const { timeline, run } = live
  const index = timeline.findLastIndex(({ runId, item }) => runId === run.id && item.kind !== "user")
  const entry = timeline[index]
  const item = entry?.item
  if (entry !== undefined && item?.kind === kind && item.streaming && continues(item.text, text, delta)) {
    if (item.text === text || (delta === null && item.text.startsWith(text))) return live
    return replaced(live, index, entry, { ...item, text })
  }
  if (text.trim() === "") return live
  return added(live, (key): AssistantItem | ThinkingItem => {
    const base = { key, at, text, streaming: true }
    return kind === "thinking" ? { ...base, kind } : { ...base, kind, model: null, injected: false, usage: null }
  })
}

function tool(live: Live, data: Fields, at: number | null): Live {
  const callId = filledText(data.toolCallId)
  if (callId === null || filledText(data.parentToolCallId) !== null) return live
  // What the gateway repeats after a reload does not name the parent, but its id is a part of the nested one.
  const isNested = (item: ChatItem) => item.kind === "tool" && callId.includes(`:${item.callId}:`)
  if (live.timeline.some(({ item }) => isNested(item))) return live
  const index = live.timeline.findLastIndex(
    ({ item, runId }) => item.kind === "tool" && item.callId === callId && runId === live.run.id
  )
  const entry = live.timeline[index]
  const named = namedTool(data.name, data.args)
  if (entry?.item.kind === "tool") return replaced(live, index, entry, toolAfter(entry.item, data, named, at))
  return added(live, (key) => {
    const base = { kind: "tool", key, at, callId, name: named.name, title: null, args: null, output: "" } as const
    return toolAfter({ ...base, status: "running", startedAt: at, durationMs: null }, data, named, at)
  })
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
  // A result is final: late updates don't reopen the card.
  if (before.status !== "running") return before
  if (data.phase === "update") return { ...before, title, output: toolOutput(data.partialResult) || before.output }
  if (data.phase !== "result") return before
  const output = toolOutput(data.result) || before.output
  const took = numberOf(fieldsOf(fieldsOf(data.result).details).durationMs)
  return {
    ...before,
    title,
    output,
    status: toolEnd(data.isError === true, output),
    durationMs: took ?? (at !== null && before.startedAt !== null ? Math.max(0, at - before.startedAt) : null)
  }
}

/**
 * Tool events only go to the asker; items tell everyone else that a tool is used. Nested calls have colons in their
 * id.
 */
function item(live: Live, data: Fields, at: number | null): Live {
  const { toolCallId, name, meta, phase } = data
  if (data.kind !== "tool" || name === "tool_call" || (textOf(toolCallId) ?? ":").includes(":")) return live
  if (phase === "start") return tool(live, { toolCallId, name, meta }, at)
  const known = live.timeline.some(
    ({ item, runId }) => runId === live.run.id && item.kind === "tool" && item.callId === toolCallId
  )
  if (phase !== "end" || !known) return live
  return tool(live, { phase: "result", toolCallId, meta, isError: data.status === "failed" }, at)
}

/** Applies one `agent` event of a running turn. */
export function applyAgent(live: Live, payload: Fields): Live {
  const data = fieldsOf(payload.data)
  const at = numberOf(payload.ts)
  const text = textOf(data.text)
  switch (payload.stream) {
    case "assistant":
      if (text === null) return live
      return expectMedia(
        growText({ ...live, run: { ...live.run, segmented: true } }, "assistant", text, textOf(data.delta), at),
        data.mediaUrls,
        at
      )
    case "thinking":
      return text === null ? live : growText(live, "thinking", text, textOf(data.delta), at)
    case "tool":
      return tool(live, data, at)
    case "item":
      return item(live, data, at)
    default:
      return live
  }
}

/**
 * Closes a turn: nothing in it grows any more, tools without a result were cut off, and the reason is the last item.
 */
export function closeRun(live: Live, { outcome, failure, at }: RunEnd): Live {
  const { run } = live
  const timeline = closeText(live.timeline, run.id).map((entry) =>
    entry.runId === run.id && entry.item.kind === "tool" && entry.item.status === "running" && outcome !== "done"
      ? { ...entry, item: { ...entry.item, status: "aborted" as const } }
      : entry
  )
  if (outcome === "done") return { timeline, run }
  return added({ timeline, run }, (key): ErrorItem | AbortedItem =>
    failure === null ? { kind: "aborted", key, at } : { kind: "error", key, at, failure }
  )
}
