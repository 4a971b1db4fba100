import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { failures, makeAnsweringGateway } from "../../../support/answeringGateway.ts"
import { consoleWithGateway, post, readConversation, sendMessage } from "../../../support/conversationReader.ts"
import { listen } from "../../../support/listen.ts"

const KEY = "agent:main:talk"

const textsOf = (items: ReadonlyArray<object>) =>
  items.flatMap((item) => ("kind" in item && item.kind === "user" && "text" in item ? [item.text] : []))

describe("the versions of a conversation", () => {
  it.live("begin at the question that was asked again, and can be gone back to", () =>
    Effect.gen(function* () {
      const { base, ports } = yield* consoleWithGateway({ generation: "new" })
      const reader = yield* readConversation(ports.http, KEY)
      yield* reader.until(({ head }) => head.status === "ready")
      yield* sendMessage(base, KEY, "first words")
      yield* reader.turnEnd
      const { head, items } = yield* reader.until((state) =>
        state.items.every(({ messageId }) => messageId !== undefined)
      )
      assert.isTrue(head.can.versions)
      const again = { id: crypto.randomUUID(), sessionKey: KEY, key: items[0]?.key, text: "other words" }
      assert.strictEqual((yield* post(base, "/api/sessions/ask-again", again)).status, 200)
      const other = yield* reader.until((state) => state.head.versions.length > 0 && !state.head.running)
      assert.deepStrictEqual(textsOf(other.items), ["other words"])
      const [tip] = other.head.tips
      assert.deepStrictEqual(other.head.versions, [
        { messageId: other.items[0]?.messageId ?? "", leaves: [tip?.leaf ?? "", null] }
      ])
      assert.strictEqual(tip?.messages, 2)
      const refused = yield* post(base, "/api/sessions/version", { sessionKey: KEY, leaf: "nothing" })
      assert.deepStrictEqual([refused.status, refused.body.error], [502, "gateway_failure"])
      const epochs = reader.epochs.length
      const switched = yield* post(base, "/api/sessions/version", { sessionKey: KEY, leaf: tip?.leaf })
      assert.deepStrictEqual(switched, { status: 200, body: { ok: true } })
      const back = yield* reader.until((state) => textsOf(state.items)[0] === "first words")
      assert.isAbove(reader.epochs.length, epochs)
      assert.deepStrictEqual(textsOf(back.items), ["first words"])
      const both = yield* reader.until((state) => state.head.versions[0]?.leaves[0] === null)
      assert.strictEqual(both.head.tips.length, 1)
    })
  )

  it.live("aren't there on an older gateway", () =>
    Effect.gen(function* () {
      const { base, ports } = yield* consoleWithGateway({ generation: "old" })
      const reader = yield* readConversation(ports.http, KEY)
      const { head } = yield* reader.until((state) => state.head.status === "ready")
      assert.deepStrictEqual([head.can.versions, head.tips, head.versions], [false, [], []])
      const answer = yield* post(base, "/api/sessions/version", { sessionKey: KEY, leaf: "x" })
      assert.strictEqual(answer.status, 409)
      assert.deepInclude(answer.body, { error: "not_supported", why: { code: "VERSIONS_UNSUPPORTED" } })
      assert.strictEqual((yield* post(base, "/api/sessions/version", { sessionKey: KEY })).status, 400)
    })
  )

  it.live("are read once for all who look at the conversation", () =>
    Effect.gen(function* () {
      const gateway = yield* makeAnsweringGateway(
        ({ method }) => {
          if (method === "chat.history") return Effect.succeed({ messages: [], sessionId: "s", hasMore: false })
          if (method === "sessions.list") return Effect.succeed({ ts: 1, sessions: [] })
          const branch = { leafEntryId: "l", headline: "Yes.", messageCount: 2, updatedAt: "2026-01-01T00:00:00Z" }
          if (method === "sessions.branches.list") return Effect.succeed({ branches: [branch] })
          return Effect.fail(failures.missingScope)
        },
        {
          protocol: 4,
          version: undefined,
          scopes: [],
          methods: new Set(["sessions.branches.list", "sessions.branches.switch"])
        }
      )
      const { ports } = yield* listen({}, gateway.layer).pipe(Effect.provide(NodeServices.layer))
      const first = yield* readConversation(ports.http, KEY)
      const { head } = yield* first.until((state) => state.head.tips.length > 0)
      assert.deepStrictEqual(head.tips, [{ leaf: "l", headline: "Yes.", messages: 2, at: 1_767_225_600_000 }])
      const second = yield* readConversation(ports.http, KEY)
      assert.strictEqual((yield* second.until(() => true)).head.tips.length, 1)
      assert.strictEqual(gateway.count("sessions.branches.list"), 1)
    })
  )
})
