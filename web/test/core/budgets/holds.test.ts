import { assert, describe, it } from "@effect/vitest"
import type { BudgetScope } from "../../../../src/contract/schema/budget.ts"
import { waitingReason } from "../../../src/chat/delivery/deliveryText.ts"
import { type HeldWork, holdsOf, scopeOfSession, workOfSession } from "../../../src/core/budgets/holds.ts"
import { titleOf } from "../../../src/core/inbox/kindText.ts"
import { decisionText } from "../../../src/core/inbox/outcomeText.ts"
import { makeBudget } from "../../support/budget.ts"

const paused = (id: string, scope: BudgetScope) => makeBudget({ id, scope, state: "paused" })

describe("what holds some work", () => {
  const budgets = [
    paused("all", { kind: "all" }),
    paused("agent", { kind: "agent", agentId: "main" }),
    paused("elsewhere", { kind: "agent", gatewayId: "two", agentId: "main" }),
    paused("session", { kind: "session", sessionKey: "agent:main:a" }),
    paused("other", { kind: "session", sessionKey: "agent:main:b" }),
    paused("card", { kind: "task", taskId: "t1" }),
    makeBudget({ id: "ok", scope: { kind: "all" } })
  ]
  const ids = (work: HeldWork) => holdsOf(budgets, work).map(({ id }) => id)

  it("is each paused budget for it, its agent, its gateway or everything", () => {
    assert.deepStrictEqual(ids(workOfSession("agent:main:a")), ["all", "agent", "session"])
    assert.deepStrictEqual(ids(workOfSession("@two:agent:main:a")), ["all", "elsewhere"])
    assert.deepStrictEqual(ids({ taskId: "t1" }), ["all", "card"])
    assert.deepStrictEqual(scopeOfSession("@two:agent:main:a"), {
      kind: "session",
      gatewayId: "two",
      sessionKey: "agent:main:a"
    })
  })

  it("is said at a message that waits", () => {
    const at = { running: false, reached: true, linked: true, isAsked: false, now: 0 }
    const reason = (held: { readonly by: "stop" } | { readonly by: "budget"; readonly id: string }) =>
      waitingReason(
        {
          key: "k",
          kind: "user",
          text: "Hi",
          at: 0,
          images: [],
          delivery: "held",
          error: null,
          waits: { id: "m", mode: "next", notBefore: null, position: 0, state: "waiting", held }
        },
        at
      )
    assert.strictEqual(reason({ by: "stop" }), "Held: everything is stopped")
    assert.strictEqual(reason({ by: "budget", id: "b1" }), "Held: a budget is used up")
  })
})

describe("a budget in the inbox", () => {
  it("is titled by what is spent of what", () => {
    const title = (text: string) => titleOf({ kind: "budget", title: text })
    assert.strictEqual(
      title("Spent $5.01 of $5.00: Budget of everything"),
      "$5.01 of $5.00 spent: Budget of everything"
    )
    assert.strictEqual(
      title("Spent <$0.01 of $1,234.50: Budget of the agent coder"),
      "<$0.01 of $1,234.50 spent: Budget of the agent coder"
    )
    assert.strictEqual(
      title("Spent 3 of 3 turns: Budget of the card “Fix the door”"),
      "3 of 3 responses spent: Budget of the card “Fix the door”"
    )
    assert.strictEqual(title("Spent 12.5 of 10 minutes: Nightly"), "12.5 of 10 minutes spent: Nightly")
    assert.strictEqual(title("Spent 10 of 10 turns: A: b"), "10 of 10 responses spent: A: b")
    assert.strictEqual(title("Responses without a price: Team"), "Responses without a price: Team")
  })

  it("says how it ended", () => {
    const ended = (action: string, by: "console" | "timeout") =>
      decisionText({ kind: "budget", resolution: { action, at: 0, by, answer: null } })
    assert.strictEqual(ended("again", "console"), "Granted once more")
    assert.strictEqual(ended("keep", "console"), "Kept paused")
    assert.strictEqual(ended("ended", "timeout"), "A new period has begun")
  })
})
