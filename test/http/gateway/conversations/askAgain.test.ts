import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { GatewayError } from "../../../../src/services/gateway/client/GatewayError.ts"
import { failures, makeAnsweringGateway } from "../../../support/answeringGateway.ts"
import { consoleWithGateway, post, readConversation, sendMessage } from "../../../support/conversationReader.ts"
import { makeJsonApp } from "../../../support/gatewayApp.ts"

const KEY = "agent:main:talk"

/** A console with a conversation of these questions, each with its answer. */
const answered = Effect.fnUntraced(function* (
  generation: "old" | "new",
  questions: ReadonlyArray<string>,
  tokenMs = 0
) {
  const app = yield* consoleWithGateway({ generation, tokenMs })
  const reader = yield* readConversation(app.ports.http, KEY)
  yield* reader.until(({ head }) => head.status === "ready")
  for (const question of questions) {
    yield* sendMessage(app.base, KEY, question)
    yield* reader.turnEnd
    yield* reader.until(({ items, head }) => !head.running && items.every(({ messageId }) => messageId !== undefined))
  }
  const asked = () => reader.state?.items.flatMap((item) => (item.kind === "user" ? [item.text] : [])) ?? []
  const idle = (count: number) =>
    reader.until(
      ({ head, items }) =>
        !head.running && items.length === count && items.every(({ messageId }) => messageId !== undefined)
    )
  const ask = (what: "ask-again" | "regenerate", body: object) =>
    post(app.base, `/api/sessions/${what}`, { id: crypto.randomUUID(), sessionKey: KEY, ...body })
  return { ...app, reader, asked, idle, ask }
})

describe.each(["old", "new"] as const)("asking again, %s generation", (generation) => {
  it.live("takes a question out where the gateway can, and repeats it at the end elsewhere; once by its id", () =>
    Effect.gen(function* () {
      const { ask, asked, base, idle, reader } = yield* answered(generation, ["first words", "second words"])
      const [question] = reader.state?.items ?? []
      const body = { id: crypto.randomUUID(), messageId: question?.messageId, text: "other words" }
      const epochs = reader.epochs.length
      const first = yield* ask("ask-again", body)
      assert.strictEqual(first.status, 200)
      assert.deepInclude(first.body.item, { id: body.id, sessionKey: KEY, text: "other words", mode: "next" })
      assert.isUndefined(first.body.removed, "a version keeps it, or nothing was removed")
      yield* reader.turnEnd
      yield* idle(generation === "new" ? 2 : 6)
      const expected = generation === "new" ? ["other words"] : ["first words", "second words", "other words"]
      assert.deepStrictEqual(asked(), expected)
      assert.strictEqual(reader.epochs.length > epochs, generation === "new", "what is gone begins another epoch")
      const again = yield* ask("ask-again", body)
      assert.deepStrictEqual(again, first)
      yield* sendMessage(base, KEY, "last words")
      yield* reader.turnEnd
      assert.deepStrictEqual(asked(), [...expected, "last words"])
    })
  )

  it.live("asks for another response to the last question", () =>
    Effect.gen(function* () {
      const { ask, asked, idle, reader } = yield* answered(generation, ["first words", "second words"])
      const body = { id: crypto.randomUUID() }
      const first = yield* ask("regenerate", body)
      assert.strictEqual(first.status, 200)
      assert.deepInclude(first.body.item, { id: body.id, text: "second words" })
      yield* reader.turnEnd
      yield* idle(generation === "new" ? 4 : 6)
      const expected = ["first words", "second words", ...(generation === "new" ? [] : ["second words"])]
      assert.deepStrictEqual(asked(), expected)
      assert.deepStrictEqual(yield* ask("regenerate", body), first)
    })
  )

  it.live("is refused while a response is running, for what isn't there, and for what has no other response", () =>
    Effect.gen(function* () {
      const { ask, base, reader } = yield* answered(generation, [], 60)
      const nothing = yield* ask("regenerate", {})
      assert.strictEqual(nothing.status, 409)
      assert.deepInclude(nothing.body, { error: "nothing_to_regenerate", why: { code: "NOTHING" } })
      for (const where of [{ key: "nothing" }, { messageId: "nothing" }]) {
        const gone = yield* ask("ask-again", where)
        assert.strictEqual(gone.status, 404)
        assert.deepInclude(gone.body, { error: "not_found", why: { code: "MESSAGE_NOT_HERE" } })
      }
      for (const wrong of [{}, { key: "a", messageId: "b" }, { key: "a", id: "no" }])
        assert.strictEqual((yield* ask("ask-again", wrong)).status, 400)
      yield* sendMessage(base, KEY, "show me some markdown")
      const { items } = yield* reader.until(({ items }) => items.some(({ kind }) => kind === "assistant"))
      for (const [what, body] of [
        ["ask-again", { key: items[0]?.key }],
        ["regenerate", {}]
      ] as const) {
        const running = yield* ask(what, body)
        assert.strictEqual(running.status, 409)
        assert.deepInclude(running.body, { error: "running", why: { code: "RESPONSE_RUNNING" } })
      }
    })
  )
})

const user = (text: string, id: string, at: number) => ({
  role: "user",
  content: [{ type: "text", text }],
  timestamp: at,
  __openclaw: { id, idempotencyKey: `${id}-run:user` }
})
const assistant = (text: string, id: string, at: number, more: object = {}) => ({
  role: "assistant",
  content: text === "" ? [] : [{ type: "text", text }],
  stopReason: "stop",
  timestamp: at,
  __openclaw: { id },
  ...more
})

/** An app whose gateway has this history, and goes back in it as `rewind` says. */
const appWith = Effect.fnUntraced(function* (
  messages: Array<object>,
  rewind: (entryId: unknown) => Effect.Effect<unknown, GatewayError>,
  methods: ReadonlyArray<string> = ["sessions.rewind"]
) {
  const connection = { protocol: 4, version: undefined, scopes: [], methods: new Set(methods) }
  const reading = { fails: false }
  const gateway = yield* makeAnsweringGateway(({ method, params }) => {
    if (method === "sessions.rewind") return rewind("entryId" in params ? params.entryId : undefined)
    if (method === "chat.send") return Effect.succeed({ status: "started" })
    if (method === "sessions.list") return Effect.succeed({ ts: 1, sessions: [] })
    if (method !== "chat.history" || reading.fails) return Effect.fail(failures.missingScope)
    const limit = "limit" in params ? Number(params.limit) : messages.length
    const end = messages.length - ("offset" in params ? Number(params.offset) : 0)
    const page = messages.slice(Math.max(0, end - limit), Math.max(0, end))
    return Effect.succeed({ messages: page, sessionId: "s", hasMore: end > limit })
  }, connection)
  const { send } = yield* makeJsonApp({ gateway: gateway.layer })
  const ask = (what: string, body: object) =>
    send("POST", `/api/sessions/${what}`, { id: crypto.randomUUID(), sessionKey: KEY, ...body })
  const read = send("GET", `/api/sessions/conversation?sessionKey=${KEY}`)
  return { ask, gateway, read, reading }
})

describe("asking again", () => {
  it.live("returns what is removed where no version keeps it, and the pictures go with the question", () =>
    Effect.gen(function* () {
      const messages = [user("one", "q1", 1), assistant("first", "a1", 2), user("two", "q2", 3)]
      const { ask, gateway } = yield* appWith(messages, () =>
        Effect.sync(() => {
          messages.length = 0
          return { editorText: "one", editorAttachments: [{ mimeType: "image/png", data: "AAAA" }] }
        })
      )
      const body = { id: crypto.randomUUID(), messageId: "q1" }
      const first = yield* ask("ask-again", body)
      assert.strictEqual(first.status, 200)
      assert.deepStrictEqual(
        first.body.removed.map(({ kind, text }: { kind: string; text: string }) => `${kind} ${text}`),
        ["user one", "assistant first", "user two"]
      )
      assert.deepStrictEqual(first.body.item.attachments, [{ name: "image-1", type: "image/png", size: 3 }])
      assert.deepStrictEqual(yield* ask("ask-again", body), first)
      assert.strictEqual(gateway.count("sessions.rewind"), 1)
    })
  )

  it.live("finds a question before the conversation's window, by its key and by its id", () =>
    Effect.gen(function* () {
      for (const where of [{ key: "q10" }, { messageId: "q10" }]) {
        const messages = Array.from({ length: 130 }, (_, at) => [
          user(`words ${at}`, `q${at}`, 2 * at),
          assistant("Yes.", `a${at}`, 2 * at + 1)
        ]).flat()
        const { ask, gateway } = yield* appWith(messages, () => Effect.succeed({}))
        const answer = yield* ask("ask-again", where)
        assert.strictEqual(answer.status, 200)
        assert.strictEqual(answer.body.item.text, "words 10")
        assert.strictEqual(answer.body.removed.length, 240)
        assert.deepInclude(answer.body.removed[0], { kind: "user", text: "words 10" })
        assert.deepInclude(answer.body.removed.at(-1), { kind: "assistant", messageId: "a129" })
        assert.deepInclude(gateway.calls.find(({ method }) => method === "sessions.rewind")?.params, { entryId: "q10" })
        assert.strictEqual((yield* ask("ask-again", { key: "a10" })).status, 404)
      }
    })
  )

  it.live("goes on after a lost answer without going back twice", () =>
    Effect.gen(function* () {
      const messages = [user("one", "q1", 1), assistant("first", "a1", 2)]
      const { ask, gateway } = yield* appWith(messages, () =>
        Effect.suspend(() => {
          messages.length = 0
          return Effect.fail(failures.unreachable)
        })
      )
      const body = { id: crypto.randomUUID(), messageId: "q1", text: "once more" }
      const lost = yield* ask("ask-again", body)
      assert.deepStrictEqual([lost.status, lost.body.error], [502, "gateway_failure"])
      const repeated = yield* ask("ask-again", body)
      assert.strictEqual(repeated.status, 200)
      assert.deepInclude(repeated.body.item, { id: body.id, text: "once more" })
      assert.strictEqual(gateway.count("sessions.rewind"), 1)
    })
  )

  it.live("changes nothing when the gateway refuses, and may be asked for again", () =>
    Effect.gen(function* () {
      const messages = [user("one", "q1", 1), assistant("first", "a1", 2)]
      let refusals = 1
      const { ask, gateway } = yield* appWith(messages, () =>
        Effect.suspend(() => (refusals-- > 0 ? Effect.fail(failures.missingScope) : Effect.succeed({})))
      )
      const body = { id: crypto.randomUUID() }
      assert.strictEqual((yield* ask("regenerate", body)).status, 502)
      assert.strictEqual((yield* ask("regenerate", body)).status, 200)
      assert.strictEqual(gateway.count("sessions.rewind"), 2)
    })
  )

  it.live("knows what was said while nobody was looking: without a connection, and in events that were lost", () =>
    Effect.gen(function* () {
      const messages = [user("one", "q1", 1), assistant("first", "a1", 2)]
      const { ask, gateway, read } = yield* appWith(messages, () => Effect.succeed({}))
      const shown = Effect.map(read, ({ body }) => body.state.items.length)
      const isLinked = Effect.map(read, ({ body }) => body.state.head.linked)
      const say = (text: string, at: number) =>
        void messages.push(user(text, `q${at}`, 2 * at), assistant("Yes.", `a${at}`, 2 * at + 1))
      assert.strictEqual(yield* shown, 2)
      yield* gateway.reconnect(() => say("two", 2))
      assert.strictEqual(yield* shown, 4)
      assert.isTrue(yield* isLinked)
      yield* gateway.emit("tick", {}, 1)
      say("three", 3)
      yield* gateway.emit("tick", {}, 3)
      assert.strictEqual(yield* shown, 6)
      yield* gateway.reconnect(() => say("four", 4))
      assert.strictEqual((yield* ask("regenerate", {})).body.item.text, "four")
      assert.deepInclude(gateway.calls.find(({ method }) => method === "sessions.rewind")?.params, { entryId: "q4" })
    })
  )

  it.live("goes back nowhere while it can't read what was missed", () =>
    Effect.gen(function* () {
      const messages = [user("one", "q1", 1), assistant("first", "a1", 2)]
      const { ask, gateway, reading } = yield* appWith(messages, () => Effect.succeed({}))
      assert.strictEqual((yield* ask("ask-again", { key: "nothing" })).status, 404)
      reading.fails = true
      yield* gateway.reconnect(() => undefined)
      const refused = yield* ask("regenerate", {})
      assert.deepStrictEqual([refused.status, refused.body.error], [502, "gateway_failure"])
      assert.strictEqual(gateway.count("sessions.rewind"), 0)
      reading.fails = false
      assert.strictEqual((yield* ask("regenerate", {})).status, 200)
    })
  )

  it.live("says that the question of a failed response is lost", () =>
    Effect.gen(function* () {
      const error = { stopReason: "error", errorMessage: "HTTP 400", idempotencyKey: "r3" }
      const failed = { ...assistant("", "a3", 5, error), __openclaw: { id: "a3", runId: "r3" } }
      const messages = [
        user("one", "q1", 1),
        { ...assistant("first", "a1", 2), __openclaw: { id: "a1", runId: "r1" } },
        failed
      ]
      const { ask } = yield* appWith(messages, () => Effect.succeed({}))
      const { body, status } = yield* ask("regenerate", {})
      assert.strictEqual(status, 409)
      assert.deepInclude(body, { error: "nothing_to_regenerate", why: { code: "LOST" } })
    })
  )

  it.live("clears no session again about which nobody was asked", () =>
    Effect.gen(function* () {
      const messages = [user("/new hello", "q1", 1), assistant("Hi", "a1", 2)]
      const { ask, gateway } = yield* appWith(messages, () => Effect.succeed({}))
      const { body, status } = yield* ask("regenerate", {})
      assert.strictEqual(status, 409)
      assert.deepInclude(body, { error: "nothing_to_regenerate", why: { code: "COMMAND" } })
      assert.strictEqual(gateway.count("sessions.rewind"), 0)
    })
  )

  it.live("does nothing for an id that a message has", () =>
    Effect.gen(function* () {
      const { ask, gateway } = yield* appWith([user("one", "q1", 1)], () => Effect.succeed({}))
      const id = crypto.randomUUID()
      assert.strictEqual((yield* ask("ask-again", { id, messageId: "q1" })).body.item.id, id)
      const other = yield* ask("regenerate", { id })
      assert.strictEqual(other.body.item.text, "one")
      assert.strictEqual(gateway.count("sessions.rewind"), 1)
    })
  )

  it.effect("needs a gateway that is there, and doesn't wait for one", () =>
    Effect.gen(function* () {
      const { send } = yield* makeJsonApp()
      const request = { id: crypto.randomUUID(), messageId: "q" }
      const gone = yield* send("POST", "/api/sessions/ask-again", { ...request, sessionKey: "@nobody:agent:main:main" })
      assert.deepStrictEqual([gone.status, gone.body.error], [404, "unknown_gateway"])
      const away = yield* send("POST", "/api/sessions/ask-again", { ...request, sessionKey: KEY })
      assert.deepStrictEqual([away.status, away.body.error], [502, "gateway_failure"])
    })
  )
})
