import { assert, describe, it } from "@effect/vitest"
import { failure } from "../../../../src/contract/failures.ts"
import {
  type ApprovalOutcome,
  judgeCommands,
  noteApproval
} from "../../../../src/services/board/runs/commandApprovals.ts"
import { answerText, type RunEvidence, runVerdict } from "../../../../src/services/board/runs/runVerdict.ts"
import { readFeedEvent } from "../../../../src/services/gateway/feed/FeedEvent.ts"
import { answer, asks, follows, ID, question } from "./askedRun.ts"

type Messages = RunEvidence["messages"]
const NONE = new Map<string, ApprovalOutcome>()
const COMMAND = "rm -r old"
const ended = [question, asks(COMMAND), answer("I asked.")]
const denied = [failure("COMMAND_DENIED", { command: COMMAND })]
const expired = [failure("COMMAND_EXPIRED", { command: COMMAND })]
const unreported = [failure("COMMAND_UNREPORTED", { command: COMMAND })]
const unknown = [failure("COMMAND_OUTCOME_UNKNOWN", { command: COMMAND })]

const judge = (messages: Messages, now = 1_000, approvals: ReadonlyMap<string, ApprovalOutcome> = NONE) =>
  judgeCommands(messages, approvals, now)

const verdictOf = (messages: Messages, more: Partial<RunEvidence> = {}) =>
  runVerdict({
    wait: "ok",
    messages,
    session: { key: "k", status: "done" },
    restarted: false,
    isAwaited: judge(messages).isAwaited,
    ...more
  })

describe("a command that outlasts the agent's turn", () => {
  it("keeps the run going until the agent has said what became of it, and all it said is the result", () => {
    assert.deepStrictEqual(verdictOf(ended), { type: "running" })
    const told = [...ended, follows("finished", "code 0")]
    assert.deepStrictEqual(verdictOf(told), { type: "running" })
    const over = [...told, answer("It's gone.")]
    assert.deepStrictEqual(verdictOf(over), { type: "done", text: "I asked.\n\nIt's gone." })
    assert.deepStrictEqual(judge(over).notes, [])
  })

  it.each([
    ["user-denied", denied],
    ["allowlist-miss", denied],
    ["spawn-failed", []],
    ["invoke-failed", []],
    ["approval-request-failed", expired],
    ["approval-timeout (allowlist-miss)", expired],
    ["approval-timeout", expired]
  ])("is told on the card when it wasn't run: %s", (reason, sentence) => {
    const over = [...ended, follows("denied", reason), answer("Not allowed.")]
    assert.deepStrictEqual(verdictOf(over), { type: "done", text: "I asked.\n\nNot allowed." })
    assert.deepStrictEqual(judge(over).notes, sentence)
  })

  it("counts for the run's end as often as the agent asks", () => {
    const second = "22222222-2222-4222-8222-222222222222"
    const once = [...ended, follows("finished", "code 0"), asks("two", second), answer("Asked again.")]
    assert.isTrue(judge(once).isAwaited)
    const over = [...once, follows("denied", "user-denied", second), answer("Done.")]
    assert.deepStrictEqual(judge(over), { isAwaited: false, notes: [failure("COMMAND_DENIED", { command: "two" })] })
    assert.strictEqual(answerText(over), "I asked.\n\nAsked again.\n\nDone.")
  })

  it("keeps no run going that was aborted or failed, or whose gateway has forgotten it", () => {
    assert.deepStrictEqual(verdictOf(ended, { session: { key: "k", status: "killed" } }), { type: "aborted" })
    assert.strictEqual(verdictOf(ended, { wait: "error" }).type, "error")
    assert.deepStrictEqual(verdictOf(ended, { restarted: true }), { type: "done", text: "I asked." })
  })

  it("is read with line breaks and fences in it, and isn't what a person says about one", () => {
    const command = "cat <<'E'\n```\nE"
    assert.deepStrictEqual(judge([asks(command), follows("denied", "user-denied"), answer("No.")]).notes, [
      failure("COMMAND_DENIED", { command })
    ])
    const said = { role: "user", content: "Approval required (id 1, full 2).\nWhat does that mean?" }
    assert.isFalse(judge([said, answer("It means …")]).isAwaited)
  })
})

describe("a command whose decision the agent never receives", () => {
  const KEY = "agent:main:task-1-1"
  /** The events that the console receives, in order. */
  const hear = (...events: ReadonlyArray<readonly [name: string, payload: object, at: number]>) => {
    const approvals = new Map<string, ApprovalOutcome>()
    for (const [event, payload, at] of events) {
      const read = readFeedEvent({ event, payload })
      if (read !== undefined) noteApproval(approvals, KEY, read, at)
    }
    return approvals
  }
  const request = { command: COMMAND, sessionKey: KEY }
  const requested = ["exec.approval.requested", { id: ID, request, createdAtMs: 0, expiresAtMs: 120_000 }, 0] as const
  const resolved = (decision: string | null, at: number) =>
    ["exec.approval.resolved", { id: ID, decision }, at] as const

  it.each([
    ["allow-once", 60_000, unreported],
    ["allow-always", 60_000, unreported],
    ["deny", 10_000, denied]
  ])("ends the wait a moment after it was decided: %s", (decision, patience, notes) => {
    const approvals = hear(requested, resolved(decision, 5_000))
    assert.isTrue(judge(ended, 5_000 + patience - 1, approvals).isAwaited)
    assert.deepStrictEqual(judge(ended, 5_000 + patience, approvals), { isAwaited: false, notes })
  })

  it("ends it a moment after its timeout", () => {
    for (const approvals of [hear(requested), hear(requested, resolved(null, 120_000))]) {
      assert.isTrue(judge(ended, 129_999, approvals).isAwaited)
      assert.deepStrictEqual(judge(ended, 130_000, approvals), { isAwaited: false, notes: expired })
    }
  })

  it("ends it when a gateway would have decided by itself without an event", () => {
    assert.isTrue(judge(ended, 129_999).isAwaited)
    assert.deepStrictEqual(judge(ended, 130_000), { isAwaited: false, notes: unknown })
  })

  it("has an unknown outcome in a run that ends while it waits", () => {
    assert.deepStrictEqual(judge(ended, 1_000, hear(requested)).notes, unknown)
    assert.deepStrictEqual(judge(ended, 6_000, hear(requested, resolved("allow-once", 5_000))).notes, unknown)
  })

  it("counts before it's in the history, and only in its own session", () => {
    assert.isTrue(judge([question, answer("I asked.")], 1_000, hear(requested)).isAwaited)
    const other = { ...requested[1], request: { ...request, sessionKey: "agent:main:main" } }
    assert.strictEqual(hear(["exec.approval.requested", other, 0], resolved("deny", 1)).size, 0)
  })
})
