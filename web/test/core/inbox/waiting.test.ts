import { assert, describe, it } from "@effect/vitest"
import { isOf, waitingKeys } from "../../../src/core/inbox/inboxTypes.ts"
import { inboxItem, questionItem, questionPart } from "../../support/inboxItem.ts"

describe("what keeps a session waiting", () => {
  it("is an approval or a question, not what only concerns it", () => {
    assert.deepStrictEqual(waitingKeys(inboxItem()), ["agent:main:a"])
    assert.deepStrictEqual(waitingKeys(questionItem(questionPart())), ["agent:main:a"])
    assert.deepStrictEqual(waitingKeys(inboxItem({ kind: "review" })), [])
    assert.deepStrictEqual(waitingKeys(inboxItem({ sessionKey: null })), [])
  })

  it("of a scheduled run waits with its job, which is what the list shows", () => {
    const job = "agent:main:cron:1f"
    const item = inboxItem({ sessionKey: `${job}:run:2e` })
    assert.deepStrictEqual(waitingKeys(item), [`${job}:run:2e`, job])
    assert.deepStrictEqual(
      [job, `${job}:run:2e`, "agent:main:cron", "agent:main:main"].map((key) => isOf(item, key)),
      [true, true, false, false]
    )
  })
})
