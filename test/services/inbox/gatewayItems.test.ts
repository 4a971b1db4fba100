import { assert, describe, it } from "@effect/vitest"
import { readAsk } from "../../../src/services/gateway/feed/FeedEvent.ts"
import { draftOf } from "../../../src/services/inbox/gatewayItems.ts"

const draft = (sessionKey: string | null) => {
  const request = { command: "rm -r old", sessionKey }
  const ask = readAsk("exec", { id: "a", request, createdAtMs: 1, expiresAtMs: 2 })
  return ask === undefined ? assert.fail("not read") : draftOf("primary", ask, 1)
}

describe("an approval", () => {
  it("names the card whose run asks for it", () => {
    const sessionKey = "agent:main:task-11111111-1111-4111-8111-111111111111-2"
    assert.deepInclude(draft(sessionKey), { sessionKey, taskId: "11111111-1111-4111-8111-111111111111" })
  })

  it("names none in other sessions, or without one", () => {
    for (const key of ["agent:main:main", "agent:main:task-", "task-1-1", "agent:main:cron:task-1-1"])
      assert.notProperty(draft(key), "taskId")
    assert.notProperty(draft(null), "sessionKey")
  })
})
