import { assert, describe, it } from "@effect/vitest"
import { askedIn } from "../../../src/core/inbox/InboxStore.ts"
import { inboxItem, questionItem, questionPart } from "../../support/inboxItem.ts"

const KEY = "agent:main:a"

describe("the question that a message could answer", () => {
  it("is the most urgent one of the session, and none with a secret part", () => {
    const asked = questionItem(questionPart())
    const secret = { ...questionItem(questionPart({ secret: true })), id: "s" }
    const found = askedIn([inboxItem(), secret, asked, { ...asked, id: "later" }])
    assert.deepStrictEqual([...found.keys()], [KEY])
    assert.strictEqual(found.get(KEY)?.id, "q")
    assert.strictEqual(askedIn([secret, { ...asked, sessionKey: null }]).size, 0)
  })
})
