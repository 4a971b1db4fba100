import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { practiceGateway } from "../../../../practice-gateway/older/practiceGateway.ts"
import { EmbeddedGateway } from "../../../../practice-gateway/src/EmbeddedGateway.ts"
import type { GatewayControl } from "../../../../practice-gateway/src/GatewayControl.ts"
import type { ChatState, ChatStore } from "../../../src/core/conversation/chatTypes.ts"
import { shortOf } from "../support/chatHarness.ts"
import { EmbeddedConsole, until } from "../support/embeddedConsole.ts"

const KEY = "agent:main:talk"
const shown = ({ items }: ChatState) => items.map(shortOf)

const connected = Effect.gen(function* () {
  const gateway = yield* EmbeddedGateway
  const app = yield* Effect.acquireRelease(
    Effect.sync(() => new EmbeddedConsole(gateway.wsUrl, Redacted.value(gateway.token))),
    (open) => Effect.sync(() => open.dispose())
  )
  yield* Effect.promise(() => app.connect())
  const chat = app.open(KEY)
  yield* Effect.promise(() => until(chat.state, ({ status }) => status === "ready"))
  return { app, chat, control: gateway.control }
})

/** Waits until a turn that was heard of has ended. */
const ended = (chat: ChatStore) =>
  Effect.promise(() =>
    until(chat.state, ({ running, items, queued }) => !running && queued === 0 && items.at(-1)?.kind !== "user")
  )

/** What another page, which was not there, sees. */
const reloaded = Effect.fnUntraced(function* (app: EmbeddedConsole) {
  const fresh = app.open(KEY)
  yield* Effect.promise(() => until(fresh.state, ({ status }) => status === "ready"))
  const state = fresh.state.get()
  fresh.dispose()
  return shown(state)
})

/** The screen equals the history, at the latest when the last read is over. */
const assertSame = Effect.fnUntraced(function* (app: EmbeddedConsole, chat: ChatStore) {
  const expected = yield* reloaded(app)
  yield* Effect.promise(() => chat.resync())
  assert.deepStrictEqual(shown(chat.state.get()), expected)
  const keys = chat.state.get().items.map(({ key }) => key)
  assert.strictEqual(new Set(keys).size, keys.length, "keys are unique")
  return expected
})

/** A process takes its time to come back: the page has read everything that the one before it wrote by then. */
const restart = Effect.fnUntraced(function* (app: EmbeddedConsole, control: GatewayControl) {
  yield* control.stop
  yield* Effect.promise(() => until(app.link.state, ({ phase }) => phase !== "ready"))
  yield* Effect.sleep(20)
  yield* control.start
})

describe.each(["old", "new"] as const)("over a real socket, %s generation", (generation) => {
  const Fast = practiceGateway({ generation, tokenMs: 0, seed: false })
  const Slow = practiceGateway({ generation, tokenMs: 2, seed: false })

  it.live("an answer streams, ends, and is what the history keeps", () =>
    Effect.gen(function* () {
      const { app, chat } = yield* connected
      const seen = new Set<string>()
      chat.state.subscribe(({ activity }) => seen.add(activity))
      chat.send("show me some markdown")
      yield* ended(chat)
      const items = yield* assertSame(app, chat)
      assert.strictEqual(items.length, 2)
      assert.match(items[1] ?? "", /^assistant: ## A little of everything/)
      assert.isTrue(["THINKING", "STREAMING", "DONE"].every((activity) => seen.has(activity)))
      assert.strictEqual(app.sessions.find(KEY)?.kind, "chat")
    }).pipe(Effect.provide(Slow))
  )

  it.live("tools, thinking and errors are what the history keeps", () =>
    Effect.gen(function* () {
      const { app, chat } = yield* connected
      for (const text of ["use a tool", "think about it", "please fail"]) {
        const before = chat.state.get().items.length
        chat.send(text)
        yield* Effect.promise(() => until(chat.state, ({ items }) => items.length > before + 1))
        yield* ended(chat)
      }
      const items = yield* assertSame(app, chat)
      assert.isTrue(items.some((item) => item === "tool exec done: Linux\n8"))
      assert.isTrue(items.some((item) => item.startsWith("thinking: The person wants")))
      assert.isTrue(items.some((item) => item.startsWith("error: ")))
    }).pipe(Effect.provide(Fast))
  )

  it.live("keys of a streamed answer do not change when it ends", () =>
    Effect.gen(function* () {
      const { chat } = yield* connected
      chat.send("use a tool")
      const streaming = yield* Effect.promise(() =>
        until(chat.state, ({ items }) => items.filter(({ kind }) => kind === "assistant").length === 2)
      )
      const keys = streaming.items.map(({ key }) => key)
      yield* ended(chat)
      yield* Effect.promise(() => chat.resync())
      assert.deepStrictEqual(
        chat.state.get().items.map(({ key }) => key),
        keys
      )
    }).pipe(Effect.provide(Slow))
  )

  it.live("a stop keeps what was said", () =>
    Effect.gen(function* () {
      const { app, chat } = yield* connected
      chat.send("hang for me")
      yield* Effect.promise(() => until(chat.state, ({ activity }) => activity === "STREAMING"))
      assert.deepStrictEqual(yield* Effect.promise(() => chat.abort()), { ok: true, value: true })
      assert.isFalse(chat.state.get().running)
      yield* Effect.promise(() => until(chat.state, ({ items }) => items.at(-1)?.kind === "aborted"))
      const items = yield* assertSame(app, chat)
      assert.strictEqual(items.at(-1), "aborted")
      assert.strictEqual(items.filter((item) => item.startsWith("assistant")).length, 1)
      assert.strictEqual(app.sessions.find(KEY)?.state === "working", false)
    }).pipe(Effect.provide(Slow))
  )

  it.live("a message sent while another is answered waits for its turn", () =>
    Effect.gen(function* () {
      const { app, chat } = yield* connected
      chat.send("show me some code")
      yield* Effect.promise(() => until(chat.state, ({ activity }) => activity === "STREAMING"))
      chat.send("good evening")
      yield* Effect.promise(() => until(chat.state, ({ queued }) => queued === 1))
      yield* Effect.promise(() =>
        until(
          chat.state,
          ({ running, items }) =>
            !running && shown(chat.state.get()).some((item) => item.includes("You said")) && items.length === 4
        )
      )
      const items = yield* assertSame(app, chat)
      assert.deepStrictEqual(
        items.map((item) => item.slice(0, 12)),
        ["user: show m", "assistant: #", "user: good e", "assistant: Y"]
      )
    }).pipe(Effect.provide(Slow))
  )

  it.live("a link that is cut in the middle of an answer comes back, and nothing is lost or doubled", () =>
    Effect.gen(function* () {
      const { app, chat, control } = yield* connected
      chat.send("use a tool")
      yield* Effect.promise(() => until(chat.state, ({ activity }) => activity === "STREAMING"))
      yield* control.dropConnections
      yield* Effect.promise(() => until(app.link.state, ({ phase }) => phase === "waiting"))
      app.link.retryNow()
      yield* Effect.promise(() => until(app.link.state, ({ phase }) => phase === "ready"))
      yield* Effect.promise(() =>
        until(chat.state, (state) => !state.running && shown(state).some((item) => item.includes("The tool answered")))
      )
      const items = yield* assertSame(app, chat)
      assert.strictEqual(items.length, 4)
    }).pipe(Effect.provide(Slow))
  )

  it.live("a gateway that restarts in the middle of an answer leaves the page free, with what was said", () =>
    Effect.gen(function* () {
      const { app, chat, control } = yield* connected
      chat.send("good morning")
      yield* ended(chat)
      chat.send("tell me something long")
      yield* Effect.promise(() => until(chat.state, ({ activity }) => activity === "STREAMING"))
      chat.send("good evening")
      yield* restart(app, control)
      app.link.retryNow()
      yield* Effect.promise(() => until(app.link.state, ({ phase }) => phase === "ready"))
      // The older generation is killed; the newer one stops its turns first, and what waits behind one with it.
      if (generation === "new") {
        yield* Effect.promise(() => until(chat.state, ({ items }) => items.at(-1)?.kind === "user"))
        chat.retry(chat.state.get().items.at(-1)?.key ?? "")
      }
      yield* Effect.promise(() =>
        until(chat.state, (state) => !state.running && shown(state).some((item) => item.includes("“good evening”")))
      )
      const items = shown(chat.state.get())
      assert.deepStrictEqual(
        items.map((item) => item.slice(0, 12)),
        [
          "user: good m",
          "assistant: Y",
          "user: tell m",
          "assistant: #",
          ...(generation === "old" ? ["error: The g"] : ["aborted"]),
          "user: good e",
          "assistant: Y"
        ]
      )
      const onScreenOnly = generation === "old" ? items.slice(3, 5) : []
      assert.deepStrictEqual(
        yield* reloaded(app),
        items.filter((item) => !onScreenOnly.includes(item))
      )
    }).pipe(Effect.provide(Slow))
  )

  it.live("a page opened after a restart in the middle of an answer is free, and says what happened", () =>
    Effect.gen(function* () {
      const { app, chat, control } = yield* connected
      chat.send("good morning")
      yield* ended(chat)
      chat.send("tell me something long")
      yield* Effect.promise(() => until(chat.state, ({ activity }) => activity === "STREAMING"))
      yield* restart(app, control)
      const later = yield* Effect.acquireRelease(
        Effect.sync(() => new EmbeddedConsole(app.wsUrl, app.token)),
        (open) => Effect.sync(() => open.dispose())
      )
      yield* Effect.promise(() => later.connect())
      const fresh = later.open(KEY)
      yield* Effect.promise(() => until(fresh.state, ({ status }) => status === "ready"))
      assert.isFalse(fresh.state.get().running)
      const last = shown(fresh.state.get()).at(-1) ?? ""
      assert.match(last, generation === "old" ? /^error: The gateway restarted before/ : /^aborted/)
      fresh.send("good evening")
      yield* Effect.promise(() =>
        until(fresh.state, (state) => !state.running && shown(state).some((item) => item.includes("“good evening”")))
      )
    }).pipe(Effect.provide(Slow))
  )

  it.live("a stop in the middle of a tool shows it as stopped, and what was said once", () =>
    Effect.gen(function* () {
      const { app, chat } = yield* connected
      chat.send("use a tool")
      yield* Effect.promise(() => until(chat.state, ({ items }) => items.at(-1)?.kind === "tool"))
      assert.deepStrictEqual(yield* Effect.promise(() => chat.abort()), { ok: true, value: true })
      const items = yield* assertSame(app, chat)
      assert.deepStrictEqual(
        items.map((item) => item.split(":")[0]),
        ["user", "assistant", "tool exec aborted", "aborted"]
      )
    }).pipe(Effect.provide(Slow))
  )

  it.live("a provider's limit is reported once, however often the gateway tries", () =>
    Effect.gen(function* () {
      const { app, chat } = yield* connected
      const stored: Array<unknown> = []
      app.link.onEvent(({ event, payload }) => {
        if (event === "session.message" && JSON.stringify(payload).includes('"stopReason":"error"'))
          stored.push(payload)
      })
      chat.send("rate limit")
      yield* ended(chat)
      const times = generation === "old" ? 3 : 1
      yield* Effect.promise(() => until(chat.state, () => stored.length === times))
      assert.deepStrictEqual(yield* assertSame(app, chat), [
        "user: rate limit",
        "error: The model's provider is limiting requests. Wait a minute, then try again."
      ])
    }).pipe(Effect.provide(Fast))
  )

  it.live("somebody else's question is above its answer while that is being said, also in a new session", () =>
    Effect.gen(function* () {
      const { app, chat } = yield* connected
      const other = yield* Effect.acquireRelease(
        Effect.sync(() => new EmbeddedConsole(app.wsUrl, app.token)),
        (open) => Effect.sync(() => open.dispose())
      )
      yield* Effect.promise(() => other.connect())
      yield* Effect.promise(() => until(other.sessions.state, ({ status }) => status === "ready"))
      const watching = other.open(KEY)
      yield* Effect.promise(() => until(watching.state, ({ status }) => status === "ready"))
      chat.send("slow please")
      const seen = yield* Effect.promise(() =>
        until(watching.state, ({ running, items }) => running && items[0]?.kind === "user" && items.length === 2)
      )
      assert.strictEqual(shown(seen)[0], "user: slow please")
      yield* Effect.promise(() => chat.abort())
      yield* Effect.promise(() => until(watching.state, ({ running }) => !running))
      yield* assertSame(other, watching)
    }).pipe(Effect.provide(Slow))
  )

  it.live("a message that is too large is given back where the gateway drops it", () =>
    Effect.gen(function* () {
      const { chat } = yield* connected
      chat.send("x".repeat(600_000))
      const state = yield* Effect.promise(() =>
        until(chat.state, ({ running, items }) => {
          const [question, answer] = items
          return !running && question?.kind === "user" && (question.delivery === "failed" || answer !== undefined)
        })
      )
      const [question, answer] = state.items
      if (generation === "new") assert.strictEqual(answer?.kind, "assistant")
      else assert.match((question?.kind === "user" ? question.error : null) ?? "", /too long for the model/)
    }).pipe(Effect.provide(Fast))
  )

  it.live("a conversation that is deleted elsewhere says so until something is written", () =>
    Effect.gen(function* () {
      const { app, chat } = yield* connected
      chat.send("good morning")
      yield* ended(chat)
      yield* Effect.promise(() => app.link.request("sessions.delete", { key: KEY }))
      yield* Effect.promise(() => until(chat.state, ({ deleted, items }) => deleted && items.length === 0))
      chat.send("good evening")
      assert.isFalse(chat.state.get().deleted)
      yield* ended(chat)
      assert.strictEqual(shown(chat.state.get()).length, 2)
    }).pipe(Effect.provide(Fast))
  )
})
