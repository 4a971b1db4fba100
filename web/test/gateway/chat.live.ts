import { randomUUID } from "node:crypto"
import { afterEach, assert, inject, it, vi } from "@effect/vitest"
import { describeOn } from "../../../test/gateway/support/describeOn.ts"
import type { ChatState, ChatStore } from "../../src/core/conversation/chatTypes.ts"
import { shortOf } from "../core/support/chatHarness.ts"
import { EmbeddedConsole, until } from "../core/support/embeddedConsole.ts"

const shown = ({ items }: ChatState) => items.map(shortOf)

for (const gateway of inject("gateways")) {
  describeOn(gateway)(`gateway ${gateway.version}`, () => {
    let app: EmbeddedConsole
    let key: string
    let chat: ChatStore
    afterEach(() => app.dispose())

    async function open(): Promise<void> {
      app = new EmbeddedConsole(gateway.url.replace("http", "ws"), gateway.token)
      await app.connect()
      key = `agent:main:web-${randomUUID()}`
      chat = app.open(key)
      await until(chat.state, ({ status }) => status === "ready")
    }

    /** Waits for an answer that has this in it, and for the end of its turn. */
    const answered = (text: string) =>
      until(
        chat.state,
        (state) => !state.running && shown(state).some((item) => /^(assistant|error)/.test(item) && item.includes(text))
      )

    /** The screen is what another page reads from the history. */
    async function assertSame(): Promise<ReadonlyArray<string>> {
      await until(chat.state, ({ activity }) => activity === "IDLE")
      // An older gateway stores the output of a stopped tool shortly after it reported the end.
      await vi.waitFor(async () => {
        await chat.resync()
        const fresh = app.open(key)
        await until(fresh.state, ({ status }) => status === "ready")
        assert.deepStrictEqual(shown(chat.state.get()), shown(fresh.state.get()))
      }, 10_000)
      return shown(chat.state.get())
    }

    it("streams an answer and keeps what the history has", async () => {
      await open()
      chat.send("hello [[mock:chunks=20]] [[mock:delay=20]]")
      await until(chat.state, ({ activity }) => activity === "STREAMING")
      await answered("hello")
      assert.strictEqual((await assertSame()).length, 2)
    })

    it("keeps its keys over a turn with thinking and tools", async () => {
      await open()
      chat.send('[[mock:before=let me look]] [[mock:tool=exec {"command":"echo hi"}]]')
      await answered("tool said")
      const keys = chat.state.get().items.map(({ key: itemKey }) => itemKey)
      const items = await assertSame()
      assert.deepStrictEqual(
        items.map((item) => item.split(" ")[0]),
        ["user:", "assistant:", "tool", "assistant:"]
      )
      assert.deepStrictEqual(
        chat.state.get().items.map(({ key: itemKey }) => itemKey),
        keys
      )
    })

    it("shows a failure once", async () => {
      await open()
      chat.send("fail [[mock:error=400]]")
      await answered("rejected the request")
      assert.strictEqual((await assertSame()).length, 2)
    })

    it("stops, and keeps what was said", async () => {
      await open()
      chat.send("[[mock:text=never finished]] [[mock:hang]]")
      await until(chat.state, ({ activity }) => activity === "STREAMING")
      assert.deepStrictEqual(await chat.abort(), { ok: true, value: true })
      const items = await assertSame()
      assert.deepStrictEqual(
        items.slice(1).map((item) => item.split(":")[0]),
        ["assistant", "aborted"]
      )
    })

    it("stops in the middle of an answer once, and in the middle of a tool shows the tool as stopped", async () => {
      await open()
      chat.send("[[mock:text=one two three four five six seven eight]] [[mock:chunks=30]] [[mock:delay=150]]")
      await until(chat.state, (state) => shown(state).some((item) => item.startsWith("assistant…: one two")))
      assert.deepStrictEqual(await chat.abort(), { ok: true, value: true })
      const words = (items: ReadonlyArray<string>) => items.map((item) => item.split(/[:…]/)[0])
      assert.deepStrictEqual(words(await assertSame()), ["user", "assistant", "aborted"])
      chat.send('[[mock:before=let me look]] [[mock:tool=exec {"command":"sleep 20"}]]')
      await until(chat.state, (state) => shown(state).some((item) => item.startsWith("tool exec running")))
      assert.deepStrictEqual(await chat.abort(), { ok: true, value: true })
      const onScreen = words(shown(chat.state.get()))
      const turn = ["user", "assistant", "tool exec aborted", "aborted"]
      assert.deepStrictEqual(onScreen.slice(3), turn)
      assert.deepStrictEqual(words(await assertSame()).slice(3), turn)
    })

    it("shows what somebody else asks, above its answer, and in a new session too", async () => {
      await open()
      const other = new EmbeddedConsole(gateway.url.replace("http", "ws"), gateway.token)
      await other.connect()
      const watching = other.open(key)
      await until(watching.state, ({ status }) => status === "ready")
      await until(other.sessions.state, ({ status }) => status === "ready")
      chat.send("tell us [[mock:text=one two three four five six seven eight]] [[mock:chunks=30]] [[mock:delay=200]]")
      // The gateway may send the response's first words before the question.
      const state = await until(
        watching.state,
        ({ running, items }) =>
          running && items.at(-1)?.kind === "assistant" && items.some(({ kind }) => kind === "user")
      )
      assert.match(shown(state)[0] ?? "", /^user: tell us/)
      await chat.abort()
      await until(watching.state, ({ running }) => !running)
      await watching.resync()
      assert.deepStrictEqual(shown(watching.state.get()), await assertSame())
      other.dispose()
    })

    it("says that a conversation was deleted elsewhere, until the next message", async () => {
      await open()
      chat.send("hello")
      await answered("hello")
      await app.link.request("sessions.delete", { key })
      await until(chat.state, ({ deleted, items }) => deleted && items.length === 0)
      chat.send("once more")
      assert.isFalse(chat.state.get().deleted)
      await answered("once more")
      assert.strictEqual((await assertSame()).length, 2)
    })

    it.runIf(gateway.version.startsWith("2026.3"))("gives back a message that is too large for the model", async () => {
      await open()
      chat.send("x".repeat(2_000_000))
      const { items } = await until(chat.state, (state) => shown(state)[0]?.startsWith("user(failed)") === true)
      assert.match((items[0]?.kind === "user" ? items[0].error : null) ?? "", /too long for the model/)
    })

    it.runIf(gateway.version.startsWith("2026.3"))(
      "shows a limit of the provider once, though it is tried again",
      async () => {
        await open()
        let failures = 0
        const again = new Promise<void>((resolve) => {
          app.link.onEvent(({ event, payload }) => {
            const text = JSON.stringify(payload)
            if (
              event === "session.message" &&
              text.includes(key) &&
              text.includes('"stopReason":"error"') &&
              ++failures === 2
            )
              resolve()
          })
        })
        chat.send("fail [[mock:error=429]]")
        await again
        assert.strictEqual((await assertSame()).length, 2)
      }
    )

    it("queues behind a running turn", async () => {
      await open()
      chat.send("[[mock:text=first answer]] [[mock:chunks=14]] [[mock:delay=150]]")
      await until(chat.state, ({ activity }) => activity === "STREAMING")
      chat.send("[[mock:text=second answer]]")
      await answered("second answer")
      assert.deepStrictEqual(
        (await assertSame()).map((item) => /(user|assistant).*(first|second)/.exec(item)?.slice(1).join(" ")),
        ["user first", "assistant first", "user second", "assistant second"]
      )
    })

    it("loses and doubles nothing when the link breaks in the middle of an answer", async () => {
      await open()
      chat.send("[[mock:text=a long and winding answer]] [[mock:chunks=20]] [[mock:delay=100]]")
      await until(chat.state, ({ activity }) => activity === "STREAMING")
      await app.cut()
      await answered("a long and winding answer")
      assert.strictEqual((await assertSame()).length, 2)
    })

    it("is whole when the answer ended while the link was down", async () => {
      await open()
      chat.send("[[mock:text=short answer]] [[mock:chunks=4]] [[mock:delay=50]]")
      await until(chat.state, ({ activity }) => activity === "STREAMING")
      app.link.close()
      const other = new EmbeddedConsole(gateway.url.replace("http", "ws"), gateway.token)
      await other.connect()
      const watching = other.open(key)
      await until(watching.state, (state) => !state.running && shown(state).includes("assistant: short answer"))
      other.dispose()
      app.link.connect()
      await answered("short answer")
      assert.strictEqual((await assertSame()).length, 2)
    })
  })
}
