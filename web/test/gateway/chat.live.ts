import { randomUUID } from "node:crypto"
import { afterEach, assert, describe, inject, it } from "@effect/vitest"
import type {} from "../../../test/gateway/support/globalSetup.ts"
import type { ChatState, ChatStore } from "../../src/core/chatTypes.ts"
import { shortOf } from "../core/support/chatHarness.ts"
import { EmbeddedConsole, until } from "../core/support/embeddedConsole.ts"

const shown = ({ items }: ChatState) => items.map(shortOf)

for (const gateway of inject("gateways")) {
  describe(`gateway ${gateway.version}`, () => {
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
      await chat.resync()
      const fresh = app.open(key)
      await until(fresh.state, ({ status }) => status === "ready")
      assert.deepStrictEqual(shown(chat.state.get()), shown(fresh.state.get()))
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
      await answered("did not accept the request")
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
