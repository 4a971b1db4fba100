import { assert, describe, it } from "@effect/vitest"
import type { RunMessage } from "../../src/contract/runEvidence.ts"
import { runEvidence } from "../../src/contract/runEvidence.ts"

const MINUTE = 60_000
const BEGAN = 1_000 * MINUTE
const soon = BEGAN + MINUTE

const user = (at: number): RunMessage => ({ role: "user", timestamp: at, content: "do it" })
const said = (at: number, stopReason: string, more: object = {}): RunMessage => ({
  role: "assistant",
  timestamp: at,
  stopReason,
  model: "mock-fast",
  ...more
})
const note = (at: number, more: object = {}) => said(at, "stop", { model: "gateway-injected", ...more })
const abort = { openclawAbort: { aborted: true, origin: "rpc", runId: "r" } }

describe("what the history says about a run that is listed as running", () => {
  const cases: ReadonlyArray<
    readonly [what: string, messages: ReadonlyArray<RunMessage>, now: number, evidence: string]
  > = [
    ["nothing is stored before the first answer", [], soon, "alive"],
    ["the question stands alone", [user(BEGAN)], soon, "alive"],
    ["a tool was called", [user(BEGAN), said(BEGAN + 9, "toolUse")], soon, "alive"],
    ["only the answer before is there", [said(BEGAN - 9, "stop"), user(BEGAN)], soon, "alive"],
    ["a command was answered meanwhile", [user(BEGAN), note(BEGAN + 9)], soon, "alive"],
    ["it answered", [user(BEGAN), said(BEGAN + 9, "stop")], soon, "over"],
    ["it failed", [user(BEGAN), said(BEGAN + 9, "error")], soon, "over"],
    ["it was stopped, as the model's message says", [user(BEGAN), said(BEGAN + 3, "aborted")], soon, "over"],
    [
      "it was stopped, as the gateway's note in front of the question says",
      [note(BEGAN + 9, abort), user(BEGAN)],
      soon,
      "over"
    ],
    ["another run was stopped before", [note(BEGAN - 9, abort), user(BEGAN)], soon, "alive"],
    ["nothing was said for long", [user(BEGAN)], BEGAN + 16 * MINUTE, "silent"],
    [
      "a tool was called not long ago",
      [user(BEGAN), said(BEGAN + 30 * MINUTE, "toolUse")],
      BEGAN + 40 * MINUTE,
      "alive"
    ]
  ]
  for (const [what, messages, now, evidence] of cases)
    it(`${evidence}: ${what}`, () => assert.strictEqual(runEvidence(messages, BEGAN, now), evidence))
})
