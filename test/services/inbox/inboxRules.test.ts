import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import type { InboxItem } from "../../../src/contract/schema/inbox.ts"
import { InboxResolution } from "../../../src/contract/schema/inbox.ts"
import {
  actionsOf,
  checkedDecision,
  ended,
  endedElsewhere,
  noLongerAsked,
  outOfTime
} from "../../../src/services/inbox/inboxRules.ts"

const item = (more: Partial<InboxItem> = {}): InboxItem => ({
  id: "i",
  gatewayId: "primary",
  kind: "approval",
  title: "rm",
  createdAt: 0,
  expiresAt: 1000,
  state: "open",
  actions: actionsOf("approval"),
  ...more
})

const QUESTION = item({
  kind: "question",
  actions: actionsOf("question"),
  questions: [
    {
      id: "colour",
      text: "Which?",
      options: [
        { id: "1", label: "Red" },
        { id: "2", label: "Blue" }
      ],
      multiple: false,
      freeText: false
    },
    { id: "extras", text: "What else?", options: [{ id: "1", label: "Lamp" }], multiple: true, freeText: true },
    { id: "key", text: "Key?", multiple: false, freeText: true, secret: true }
  ]
})

describe("the end of an item", () => {
  it.prop("is the first one, whatever else comes in whatever order", [Schema.Array(InboxResolution)], ([ends]) => {
    let current = item()
    const won = ends.filter((end) => {
      const next = ended(current, end)
      current = next ?? current
      return next !== undefined
    })
    assert.lengthOf(won, Math.min(1, ends.length))
    assert.deepStrictEqual(current.resolution, ends[0])
    assert.strictEqual(current.state === "open", ends.length === 0)
    if (ends.length > 0) assert.deepStrictEqual(current.actions, [])
  })

  it("by the clock is unknown, as somebody may have decided unheard", () => {
    assert.deepStrictEqual(outOfTime(5), { action: "unknown", at: 5, by: "timeout" })
    assert.strictEqual(ended(item(), outOfTime(5))?.state, "expired")
  })

  it("elsewhere is what the gateway calls it, and unknown where it doesn't say", () => {
    const by = "elsewhere" as const
    assert.deepStrictEqual(endedElsewhere(item(), "allow-once", 5), { action: "allow-once", at: 5, by })
    assert.deepStrictEqual(endedElsewhere(item(), "made up", 5), { action: "unknown", at: 5, by })
    assert.deepStrictEqual(endedElsewhere(item(), undefined, 5), { action: "unknown", at: 5, by })
    assert.deepStrictEqual(endedElsewhere(QUESTION, "answered", 5), { action: "answer", at: 5, by })
    assert.deepStrictEqual(endedElsewhere(QUESTION, "cancelled", 5), { action: "skip", at: 5, by })
    assert.deepStrictEqual(endedElsewhere(QUESTION, "expired", 5), { action: "skip", at: 5, by: "timeout" })
    assert.deepStrictEqual(endedElsewhere(item(), undefined, 1000), { action: "unknown", at: 1000, by: "timeout" })
    assert.deepStrictEqual(endedElsewhere(item(), "deny", 1000), { action: "deny", at: 1000, by: "timeout" })
  })

  it("with the gateway's process is neither settled elsewhere nor out of time", () => {
    const { createdAt } = item()
    const end = (startedAt: number, at: number) => noLongerAsked(item(), startedAt, at)
    assert.deepStrictEqual(end(createdAt + 5_000, 5), { action: "gateway-restarted", at: 5, by: "elsewhere" })
    assert.strictEqual(end(createdAt + 1_000, 5).action, "unknown")
    assert.strictEqual(end(0, 5).action, "unknown")
    assert.deepStrictEqual(end(createdAt + 5_000, 1000), { action: "unknown", at: 1000, by: "timeout" })
  })
})

describe("a decision", () => {
  const reason = (decision: Parameters<typeof checkedDecision>[1], of = QUESTION) =>
    Result.match(checkedDecision(of, decision), { onSuccess: () => "", onFailure: ({ message }) => message })

  it("answers every part, with the options' labels and the person's own words as they are", () => {
    const answers = { colour: { options: ["2"] }, extras: { options: ["1"], text: "A bench" }, key: { text: " s3 " } }
    const checked = Result.getOrThrow(checkedDecision(QUESTION, { action: "answer", answers }))
    assert.deepStrictEqual(checked.answers, { colour: ["Blue"], extras: ["Lamp", "A bench"], key: [" s3 "] })
  })

  it("that doesn't fit is refused with the place and the reason", () => {
    const whole = { colour: { options: ["1"] }, extras: { text: "no" }, key: { text: "k" } }
    const answer = (changed: object) => reason({ action: "answer", answers: { ...whole, ...changed } })
    assert.strictEqual(answer({}), "")
    assert.strictEqual(reason({ action: "deny" }), "action: must be one of: answer, skip")
    assert.strictEqual(reason({ action: "answer" }), "answers.colour: is required")
    assert.strictEqual(answer({ key: {} }), "answers.key: is required")
    assert.strictEqual(answer({ colour: { options: ["1", "2"] } }), "answers.colour: takes one answer only")
    assert.strictEqual(answer({ colour: { options: ["3"] } }), "answers.colour: there's no such option")
    assert.strictEqual(answer({ colour: { text: "Green" } }), "answers.colour: choose one of the options")
    assert.strictEqual(answer({ other: { text: "x" } }), "answers.other: isn't one of the questions")
    assert.strictEqual(reason({ action: "skip" }), "")
    const review = item({ kind: "review", actions: actionsOf("review") })
    assert.strictEqual(reason({ action: "send-back" }, review), "text: is required")
    assert.strictEqual(reason({ action: "send-back", text: "Blue" }, review), "")
  })

  it.prop("never takes an action that isn't offered", [Schema.String], ([action]) => {
    const limited = item({ actions: actionsOf("approval", ["deny"]) })
    assert.strictEqual(Result.isSuccess(checkedDecision(limited, { action })), action === "deny")
    assert.isTrue(Result.isFailure(checkedDecision(item({ actions: [] }), { action })))
  })
})
