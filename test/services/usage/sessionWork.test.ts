import { assert, it } from "@effect/vitest"
import { sessionWork, workOf } from "../../../src/services/usage/gatewayUsage.ts"

it("a session's key says whether it was a card's run, a job's or a conversation", () => {
  const card = "0b9f6f0e-5b0e-4c88-9d5b-3a1f3f9e8f10"
  for (const [key, work] of [
    [`agent:main:task-${card}-1`, `task:${card}`],
    [`agent:helper:task-${card}-12`, `task:${card}`],
    ["agent:main:cron:daily", "cron:daily"],
    ["agent:main:cron:daily:run:0d1973ca", "cron:daily"],
    ["agent:main:main", undefined],
    ["agent:main:subagent:0d1973ca", undefined],
    ["agent:main:task-", undefined],
    ["agent:main:tasks", undefined],
    ["cron:daily", undefined],
    ["", undefined]
  ] as const) {
    assert.strictEqual(workOf(key), work, key)
  }
})

it("is noted by the session's own id, or by its key where there is none", () => {
  const sessions = [
    { key: "agent:main:main", sessionId: "1" },
    { key: "agent:main:cron:daily:run:2", sessionId: "2" },
    { key: "agent:main:task-a-1" }
  ]
  assert.deepStrictEqual(sessionWork(sessions), [
    { session: "2", work: "cron:daily" },
    { session: "agent:main:task-a-1", work: "task:a" }
  ])
})
