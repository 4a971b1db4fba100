import { Effect } from "effect"
import type { DemoStep } from "../demo/steps.ts"
import { agentIdOf } from "../sessions/SessionStore.ts"
import type { QuestionAnswers } from "./questionRules.ts"
import type { ChatRunsOptions } from "./runTypes.ts"
import type { ToolResult, Turn } from "./TurnEvents.ts"
import type { TurnWriter } from "./turnWriter.ts"

/** Why a command was refused without asking anyone; the first line is the real gateway's. */
const NOBODY_TO_ASK = [
  "exec denied: Headless runs cannot wait for interactive exec approval.",
  "No connection has said that it can show approvals; connect a page that does, and ask again."
].join("\n")

const denied = (text: string): ToolResult => ({ text, details: { status: "failed", exitCode: null }, isError: true })

/** A command waiting for a person: its tool call stays open until answered. */
export const approveFirst = Effect.fnUntraced(function* (
  { approvals, newId, now }: ChatRunsOptions,
  step: Extract<DemoStep, { type: "approve" }>,
  turn: Turn,
  writer: TurnWriter
) {
  const { command, meta } = step
  const call = { id: `call_${newId().slice(0, 8)}`, name: "exec", args: { command }, meta, startedAt: now() }
  const { key } = turn.session
  let isAllowed = false
  const result = Effect.gen(function* (): Effect.fn.Return<ToolResult> {
    const decision = yield* approvals.ask(
      { command, cwd: "workspace", sessionKey: key, agentId: agentIdOf(key) },
      { runId: turn.runId, toolCallId: call.id }
    )
    if (decision === "nobody") return denied(NOBODY_TO_ASK)
    if (decision === "deny") return denied(`Exec denied (gateway id=${call.id}, user-denied): ${command}`)
    isAllowed = true
    return { text: step.result, details: { status: "completed", exitCode: 0 }, isError: false }
  })
  yield* writer.callTool(call, result, { runMs: step.runMs, tellsMeanwhile: false })
  yield* writer.say({ type: "text", text: isAllowed ? step.allowed : step.denied })
})

const answered = (answers: QuestionAnswers, { questions }: Extract<DemoStep, { type: "ask" }>): ToolResult => {
  const details = { status: "answered", answers: { answers } }
  const lines = questions.map(({ header, questionId }) => `${header}: ${(answers[questionId] ?? []).join(", ")}`)
  return { text: `${lines.join("\n")}\n\n${JSON.stringify(details, null, 2)}`, details, isError: false }
}

const unanswered = (): ToolResult => {
  const details = { status: "no_answer" }
  const text = `No answer arrived; proceed with best judgment.\n\n${JSON.stringify(details, null, 2)}`
  return { text, details, isError: false }
}

/** A question to the person: the tool call is open until the answer. A gateway without that tool says so. */
export const askPerson = Effect.fnUntraced(function* (
  { generation, questions, newId, now }: ChatRunsOptions,
  step: Extract<DemoStep, { type: "ask" }>,
  turn: Turn,
  writer: TurnWriter
) {
  if (generation.lacks.has("question.list"))
    return yield* writer.say({ type: "text", text: step.unable ?? "I can't ask you here: just write to me." })
  const meta = step.questions[0]?.question ?? ""
  const args = { questions: step.questions.map(({ questionId: id, ...part }) => ({ id, ...part })) }
  const call = { id: `call_${newId().slice(0, 8)}`, name: "ask_user", args, meta, startedAt: now() }
  const { key } = turn.session
  let given: QuestionAnswers | null = null
  const result = Effect.gen(function* () {
    given = yield* questions.ask({
      questions: step.questions,
      sessionKey: key,
      agentId: agentIdOf(key),
      runId: turn.runId,
      timeoutMs: step.timeoutMs
    })
    return given === null ? unanswered() : answered(given, step)
  })
  yield* writer.callTool(call, result, { runMs: 0, tellsMeanwhile: false })
  yield* writer.say({ type: "text", text: step.reply(given) })
})
