import { Deferred, Effect } from "effect"
import type { DemoStep } from "../demo/steps.ts"
import type { Message } from "../sessions/messages.ts"
import { modelOf } from "../sessions/SessionStore.ts"
import type { ChatRunsOptions, Run, TurnRequest } from "./runTypes.ts"
import type { ToolCall, Turn } from "./TurnEvents.ts"
import type { TurnWriter } from "./turnWriter.ts"

const LINGER_MS = 300

/** The parts of a gateway's runs that sub-agents need. */
interface Runs {
  readonly options: ChatRunsOptions
  start(request: TurnRequest): Run
}

/**
 * Starts a sub-agent in a session of its own, as the `sessions_spawn` tool does: the child runs beside its parent,
 * and when it has ended a follow-up turn in the parent session talks about the result.
 */
export const spawnSubagent = Effect.fnUntraced(function* (
  runs: Runs,
  turn: Turn,
  writer: TurnWriter,
  step: Extract<DemoStep, { type: "spawn" }>
) {
  const { events, fork, generation, newId, now, sessions, store, tokenMs } = runs.options
  const parent = turn.session
  const startedAt = now()
  const args = { task: step.task, label: step.label }
  const callId = `call_${newId().slice(0, 8)}`
  const direct: ToolCall = { id: callId, name: "sessions_spawn", args, meta: step.label, startedAt }
  const outer: ToolCall = generation.wrapsSpawns
    ? { ...direct, name: "tool_call", meta: "", args: { id: "sessions_spawn", args } }
    : direct
  const inner: ToolCall = { ...direct, id: `tool_search_code:${callId}:sessions_spawn:1`, parentId: callId }
  writer.storeCall(outer)
  events.toolStarted(turn, outer)
  if (generation.wrapsSpawns) events.toolStarted(turn, inner)
  if (tokenMs > 0) yield* Effect.sleep(LINGER_MS)

  const child = store.open(`agent:main:subagent:${newId()}`)
  child.spawnedBy = parent.key
  child.label = step.label
  child.override = parent.override
  const runId = newId()
  const details = {
    status: "accepted",
    childSessionKey: child.key,
    runId,
    mode: "run",
    resolvedModel: modelOf(child).id,
    resolvedProvider: modelOf(child).provider,
    modelApplied: true
  }
  const result = { text: JSON.stringify(details, null, 2), details, isError: false }
  if (generation.wrapsSpawns) {
    events.toolEnded(turn, inner, result, now())
    const nested: Message = {
      ...store.stamp(parent),
      role: "custom",
      customType: "openclaw.nested-tool.v1",
      content: [
        { type: "toolCall", id: inner.id, name: inner.name, arguments: args, parentToolCallId: callId },
        {
          type: "toolResult",
          toolCallId: inner.id,
          toolName: inner.name,
          content: [{ type: "text", text: result.text }]
        }
      ],
      timestamp: now(),
      runId: turn.runId
    }
    store.append(parent, nested)
    sessions.message(parent, nested, turn.runId)
  }
  events.toolEnded(turn, outer, result, now())
  writer.storeResult(outer, result)
  sessions.reason(child, "create")
  sessions.reason(child, "send")
  const run = runs.start({ runId, session: child, kind: "subagent", text: step.task })
  fork(
    Deferred.await(run.done).pipe(
      Effect.andThen((outcome) =>
        Effect.sync(() => {
          if (!generation.wrapsSpawns) sessions.reason(child, "subagent-status")
          if (outcome.status === "aborted" || !store.sessions.has(parent.key)) return
          const announce = `announce:v1:${child.key}:${runId}`
          runs.start({ runId: announce, session: parent, kind: "announce", text: `${step.label}\n${outcome.text}` })
        })
      )
    )
  )
  events.modelStarted(turn)
})
