import { assert, inject, it } from "@effect/vitest"
import { Effect } from "effect"
import { describeOn } from "../../../test/gateway/support/describeOn.ts"
import { startMortalGateway } from "../../../test/gateway/support/realGateway.ts"
import { temporaryDirectory } from "../../../test/gateway/support/temporaryDirectory.ts"
import { freePort } from "../../../test/support/freePort.ts"
import type { ChatState, ChatStore } from "../../src/core/conversation/chatTypes.ts"
import { shortOf } from "../core/support/chatHarness.ts"
import { EmbeddedConsole, until } from "../core/support/embeddedConsole.ts"

const RESTARTED = "error: The gateway restarted before the agent finished its response."
/** A newer gateway needs its time to start, twice. */
const LIMIT = 400_000

const shown = ({ items }: ChatState) => items.map(shortOf)
const when = (chat: ChatStore, happened: (items: ReadonlyArray<string>, state: ChatState) => boolean) =>
  Effect.promise(() => until(chat.state, (state) => happened(shown(state), state)))

/** What is answered after the restart, once. */
const answered = (chat: ChatStore) => when(chat, (items, { running }) => !running && items.includes("assistant: fine"))
const again = "and now? [[mock:text=fine]]"

for (const offered of inject("gateways")) {
  const { version } = offered
  describeOn(offered)(`gateway ${version}, killed in the middle of three turns and started again`, () => {
    const isOld = version.startsWith("2026.3")

    it.live(
      "leaves a watching page free, with what was said, and answers the next message once",
      () =>
        Effect.gen(function* () {
          const options = {
            version,
            home: yield* temporaryDirectory,
            port: yield* Effect.promise(freePort),
            token: "mortal-token"
          }
          const { gateway, kill } = yield* startMortalGateway(options)
          const app = yield* Effect.acquireRelease(
            Effect.sync(() => new EmbeddedConsole(gateway.url.replace("http", "ws"), gateway.token)),
            (open) => Effect.sync(() => open.dispose())
          )
          yield* Effect.promise(() => app.connect())
          const open = (name: string) => app.open(`agent:main:web-${name}`)
          const [asked, speaking, using] = [open("asked"), open("speaking"), open("using")]

          // One of the sessions has had a turn before; the others are new.
          speaking.send("hello")
          yield* when(speaking, (items, { running }) => !running && items.includes("assistant: echo: hello"))
          asked.send("[[mock:think=hm]] [[mock:delay=6000]] [[mock:text=never]]")
          speaking.send("[[mock:text=one two three four five six seven eight]] [[mock:chunks=8]] [[mock:delay=4000]]")
          using.send('[[mock:before=let me look]] [[mock:tool=exec {"command":"sleep 30"}]]')
          yield* when(asked, (_, { running }) => running)
          yield* when(speaking, (items) => items.some((item) => item.startsWith("assistant…: one")))
          yield* when(using, (items) => items.some((item) => item.startsWith("tool exec running")))
          speaking.send(again)
          yield* when(speaking, (_, { queued }) => queued === 1)

          yield* kill
          yield* startMortalGateway(options)
          app.link.retryNow()
          yield* Effect.promise(() => until(app.link.state, ({ phase }) => phase === "ready"))
          for (const chat of [asked, using]) {
            yield* when(chat, (items) => items.includes(RESTARTED))
            chat.send(again)
          }
          for (const chat of [asked, speaking, using]) yield* answered(chat)

          const words = (chat: ChatStore) => shown(chat.state.get()).map((item) => item.split(/[ :…]/)[0])
          if (isOld) {
            assert.deepStrictEqual(words(asked), ["user", "error", "user", "assistant"])
            assert.deepStrictEqual(words(speaking), [
              "user",
              "assistant",
              "user",
              "assistant",
              "error",
              "user",
              "assistant"
            ])
            assert.deepStrictEqual(words(using), ["user", "assistant", "tool", "error", "user", "assistant"])
          }
          for (const chat of [asked, speaking, using]) {
            const items = shown(chat.state.get())
            assert.strictEqual(items.filter((item) => item === RESTARTED).length, 1)
            assert.strictEqual(items.filter((item) => item === `user: ${again}`).length, 1)
            assert.strictEqual(items.filter((item) => item === "assistant: fine").length, 1)
            assert.isFalse(items.some((item) => item.startsWith("tool exec running")))
          }
          assert.match(shown(speaking.state.get())[3] ?? "", /^assistant: one/)

          // Another page sees the same but for what was on this screen only.
          const fresh = open("speaking")
          yield* when(fresh, (_, { status }) => status === "ready")
          assert.isFalse(fresh.state.get().running)
          const there = shown(speaking.state.get())
          const seen = shown(fresh.state.get())
          assert.isTrue(
            seen.every((item) => there.includes(item)),
            JSON.stringify({ seen, there })
          )
        }).pipe(Effect.scoped),
      LIMIT
    )
  })
}
