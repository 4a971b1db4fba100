import { assert, describe, it } from "@effect/vitest"
import { askedCommands, isAwaited, notRun } from "../../../src/services/board/askedCommands.ts"
import { answerText, type RunEvidence, runVerdict } from "../../../src/services/board/runVerdict.ts"
import { answer, asks, follows, ID, question } from "./askedRun.ts"

const evidence = (messages: RunEvidence["messages"], more: Partial<RunEvidence> = {}): RunEvidence => ({
  wait: "ok",
  messages,
  session: { key: "k", status: "done" },
  restarted: false,
  ...more
})

describe("a command that outlasts the agent's turn", () => {
  it("keeps the run going until the agent has said what became of it, and all it said is the result", () => {
    const ended = [question, asks("rm -r old"), answer("I asked.")]
    assert.isTrue(isAwaited(ended))
    assert.deepStrictEqual(runVerdict(evidence(ended)), { type: "running" })
    const told = [...ended, follows("finished", "code 0")]
    assert.deepStrictEqual(runVerdict(evidence(told)), { type: "running" })
    const over = [...told, answer("It's gone.")]
    assert.isFalse(isAwaited(over))
    assert.deepStrictEqual(runVerdict(evidence(over)), { type: "done", text: "I asked.\n\nIt's gone." })
    assert.isUndefined(notRun(askedCommands(over)))
  })

  it.each([
    ["user-denied", "The command “rm -r old” wasn't allowed."],
    ["allowlist-miss", "The command “rm -r old” wasn't allowed."],
    ["spawn-failed", undefined],
    ["approval-timeout (allowlist-miss)", "Nobody allowed the command “rm -r old” in time."],
    ["approval-timeout", "Nobody allowed the command “rm -r old” in time."]
  ])("is told on the card when it wasn't run: %s", (reason, sentence) => {
    const over = [question, asks("rm -r old"), answer("I asked."), follows("denied", reason), answer("Not allowed.")]
    assert.deepStrictEqual(runVerdict(evidence(over)), { type: "done", text: "I asked.\n\nNot allowed." })
    assert.strictEqual(notRun(askedCommands(over)), sentence)
  })

  it("counts for the run's end as often as the agent asks", () => {
    const second = "22222222-2222-4222-8222-222222222222"
    const once = [question, asks("one"), answer("Asked."), follows("finished", "code 0"), asks("two", second)]
    assert.isTrue(isAwaited([...once, answer("Asked again.")]))
    const over = [...once, answer("Asked again."), follows("denied", "user-denied", second), answer("Done.")]
    assert.isFalse(isAwaited(over))
    assert.strictEqual(notRun(askedCommands(over)), "The command “two” wasn't allowed.")
    assert.strictEqual(answerText(over), "Asked.\n\nAsked again.\n\nDone.")
  })

  it("keeps no run going that was aborted or failed, or whose gateway has forgotten it", () => {
    const ended = [question, asks("rm -r old"), answer("I asked.")]
    assert.deepStrictEqual(runVerdict(evidence(ended, { session: { key: "k", status: "killed" } })), {
      type: "aborted"
    })
    assert.strictEqual(runVerdict(evidence(ended, { wait: "error" })).type, "error")
    assert.deepStrictEqual(runVerdict(evidence(ended, { restarted: true })), { type: "done", text: "I asked." })
  })

  it("is read with line breaks and fences in it, and isn't what a person says about one", () => {
    const command = "cat <<'E'\n```\nE"
    assert.deepStrictEqual(askedCommands([asks(command)]), [{ id: ID, command, outcome: "open" }])
    const said = { role: "user", content: "Approval required (id 1, full 2).\nWhat does that mean?" }
    assert.isFalse(isAwaited([said, answer("It means …")]))
  })
})
