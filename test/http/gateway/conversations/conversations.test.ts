import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { NumberedConversation, OlderItems } from "../../../../src/contract/schema/conversation.ts"
import { makeGatewayApp } from "../../../support/gatewayApp.ts"

const KEY = "agent:main:long"
const decodeConversation = Schema.decodeUnknownSync(NumberedConversation)
const decodeOlder = Schema.decodeUnknownSync(OlderItems)

describe.each(["old", "new"] as const)("a session's conversation, %s generation", (generation) => {
  const app = makeGatewayApp({ generation, seed: false })
  const talk = Effect.fnUntraced(function* (count: number) {
    const { client, ...rest } = yield* app
    for (let at = 0; at < count; at++) {
      const message = { sessionKey: KEY, message: `question ${at}`, idempotencyKey: crypto.randomUUID() }
      const { runId } = yield* client.request("chat.send", message, Schema.Struct({ runId: Schema.String }))
      yield* client.request("agent.wait", { runId, timeoutMs: 9_000 }, Schema.Unknown)
    }
    return rest
  })

  it.live("is read with its end, and page by page before that, without a gap", () =>
    Effect.gen(function* () {
      const { send } = yield* talk(70)
      const { body, status } = yield* send("GET", `/api/sessions/conversation?sessionKey=${KEY}`)
      assert.strictEqual(status, 200)
      const { state } = decodeConversation(body)
      assert.strictEqual(state.head.status, "ready")
      assert.strictEqual(state.items.length, 100)
      let items = state.items
      let before: string | null = state.head.older ?? null
      for (let pages = 0; before !== null && pages < 20; pages++) {
        const path = `/api/sessions/messages?sessionKey=${KEY}&limit=25&before=${before}`
        const answer = yield* send("GET", path)
        assert.strictEqual(answer.status, 200)
        const page = decodeOlder(answer.body)
        assert.isAtMost(page.items.length, 25)
        items = [...page.items, ...items]
        before = page.older
      }
      assert.isNull(before)
      const asked = items.flatMap((item) => (item.kind === "user" ? [item.text] : []))
      assert.deepStrictEqual(
        asked,
        Array.from({ length: 70 }, (_, at) => `question ${at}`)
      )
      assert.strictEqual(new Set(items.map(({ key }) => key)).size, 140)
      const [first] = items
      const whole = yield* send("GET", `/api/sessions/message?sessionKey=${KEY}&id=${state.items.at(-1)?.messageId}`)
      assert.strictEqual(whole.body.items[0]?.key, state.items.at(-1)?.key)
      assert.isDefined(first?.messageId)
    })
  )
})

it.live("a damaged cursor, a limit that's too high, a message and a gateway that aren't there", () =>
  Effect.gen(function* () {
    const { send } = yield* makeGatewayApp({ generation: "new", seed: false })
    const at = (path: string) => send("GET", `/api/sessions/${path}`)
    const damaged = yield* at(`messages?sessionKey=${KEY}&before=xyz`)
    assert.strictEqual(damaged.status, 400)
    assert.deepStrictEqual(damaged.body.why, { code: "BAD_CURSOR", values: { field: "before" } })
    assert.strictEqual((yield* at(`messages?sessionKey=${KEY}&before=WzAsMCwiYSIsbnVsbF0&limit=201`)).status, 400)
    const gone = yield* at(`message?sessionKey=${KEY}&id=nothing`)
    assert.deepInclude(gone, { status: 404 })
    assert.deepInclude(gone.body, { error: "not_found", why: { code: "MESSAGE_NOT_STORED" } })
    assert.strictEqual((yield* at("conversation?sessionKey=@nobody:agent:main:main")).status, 404)
    const empty = yield* at(`conversation?sessionKey=${KEY}`)
    assert.deepInclude(empty.body.state.head, { status: "ready", unknown: true })
  })
)
