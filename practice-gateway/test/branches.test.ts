import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Link } from "../../test/support/gatewayLink.ts"
import { practiceGateway } from "../older/practiceGateway.ts"
import { operator, scriptedAgent } from "./operator.ts"

const Fast = practiceGateway({ generation: "new", tokenMs: 0, seed: false, agent: scriptedAgent })
const KEY = "agent:main:branches"

interface History {
  readonly sessionId: string
  readonly messages: ReadonlyArray<{ readonly __openclaw: { readonly id: string; readonly seq: number } }>
  readonly sessionInfo: { readonly previousSessionId?: string }
}
interface Branch {
  readonly leafEntryId: string
  readonly headline: string
  readonly messageCount: number
  readonly active: boolean
}

const isHistory = (value: unknown): value is History =>
  typeof value === "object" && value !== null && "messages" in value
const areBranches = (value: unknown): value is ReadonlyArray<Branch> => Array.isArray(value)

const say = Effect.fnUntraced(function* (link: Link, message: string) {
  yield* link.call("chat.send", { sessionKey: KEY, message, idempotencyKey: message })
  yield* link.waitFor(({ payload }) => payload?.runId === message && payload.state === "final")
})
const history = Effect.fnUntraced(function* (link: Link, more: object = {}) {
  const answer = yield* link.call("chat.history", { sessionKey: KEY, ...more })
  if (!isHistory(answer)) return yield* Effect.die("no history")
  return { ...answer, ids: answer.messages.map((message) => message.__openclaw.id) }
})
const branches = Effect.fnUntraced(function* (link: Link) {
  const answer = yield* link.call("sessions.branches.list", { sessionKey: KEY })
  return areBranches(answer.branches) ? answer.branches : []
})
const short = (list: ReadonlyArray<Branch>) =>
  list.map(({ headline, messageCount, active }) => `${active ? "*" : ""}${headline} (${messageCount})`)
const refusal = Effect.fnUntraced(function* (link: Link, leafEntryId: string, sessionKey = KEY) {
  const answer = yield* link.request("sessions.branches.switch", { sessionKey, leafEntryId })
  return answer.error?.message
})

describe("branches of a session", () => {
  it.live("are left by a rewind, switched between, and read under the id the session had", () =>
    Effect.gen(function* () {
      const { link } = yield* operator()
      yield* link.call("sessions.subscribe")
      assert.deepStrictEqual(yield* branches(link), [])
      yield* say(link, "one")
      yield* say(link, "two")
      const before = yield* history(link)
      const entryId = before.ids[2] ?? ""
      assert.deepStrictEqual(yield* link.call("sessions.rewind", { sessionKey: KEY, entryId }), { editorText: "two" })
      assert.deepStrictEqual(short(yield* branches(link)), ["*echo: one (2)", "echo: two (4)"])
      yield* say(link, "three")
      assert.deepStrictEqual(short(yield* branches(link)), ["*echo: three (4)", "echo: two (4)"])
      const after = yield* history(link)
      assert.deepStrictEqual(
        after.messages.map((message) => message.__openclaw.seq),
        [1, 2, 3, 4]
      )
      assert.notStrictEqual(after.sessionId, before.sessionId)
      assert.strictEqual(after.sessionInfo.previousSessionId, before.sessionId)
      const past = { sessionId: before.sessionId, messageId: entryId }
      assert.deepStrictEqual((yield* history(link, past)).ids, before.ids)
      assert.deepStrictEqual((yield* history(link, { messageId: entryId })).ids, [])
      const found = yield* link.call("sessions.search", { query: "echo two", sessionKeys: [KEY] })
      assert.include(JSON.stringify(found), `"sessionId":"${before.sessionId}","messageId":"${before.ids[3]}"`)

      const [active, left] = yield* branches(link)
      const leaf = left?.leafEntryId ?? ""
      assert.deepStrictEqual(yield* link.call("sessions.branches.switch", { sessionKey: KEY, leafEntryId: leaf }), {})
      yield* link.waitFor(({ event, payload }) => event === "sessions.changed" && payload?.reason === "branch-switch")
      assert.deepStrictEqual((yield* history(link)).ids, before.ids)
      assert.deepStrictEqual(short(yield* branches(link)), ["*echo: two (4)", "echo: three (4)"])
      assert.strictEqual(yield* refusal(link, leaf), `branch is already active: ${leaf}`)
      assert.strictEqual(yield* refusal(link, "none"), "branch entry not found: none")
      assert.strictEqual(yield* refusal(link, entryId), `entry is not a branch tip: ${entryId}`)
      assert.strictEqual(yield* refusal(link, leaf, "nobody"), "session not found: nobody")
      yield* link.call("sessions.reset", { key: KEY })
      assert.deepStrictEqual(yield* branches(link), [])
      assert.strictEqual(
        yield* refusal(link, active?.leafEntryId ?? ""),
        `branch entry not found: ${active?.leafEntryId}`
      )
    }).pipe(Effect.provide(Fast), Effect.scoped)
  )

  it.live("stay where they are while a turn is running", () =>
    Effect.gen(function* () {
      const { link } = yield* operator()
      yield* say(link, "one")
      yield* link.call("chat.send", { sessionKey: KEY, message: "[hang]", idempotencyKey: "hang" })
      yield* link.waitFor(({ payload }) => payload?.runId === "hang" && payload.state === "delta")
      assert.strictEqual(yield* refusal(link, "any"), "Branch switch is unavailable while the agent is working.")
    }).pipe(Effect.provide(Fast), Effect.scoped)
  )

  it.live("aren't known to the older generation", () =>
    Effect.gen(function* () {
      const { link, hello } = yield* operator()
      for (const name of ["sessions.branches.list", "sessions.branches.switch", "sessions.search"])
        assert.notInclude(JSON.stringify(hello.payload?.features), name)
      assert.strictEqual(yield* refusal(link, "any"), "unknown method: sessions.branches.switch")
    }).pipe(
      Effect.provide(practiceGateway({ generation: "old", tokenMs: 0, seed: false, agent: scriptedAgent })),
      Effect.scoped
    )
  )
})
