import { afterEach, assert, inject, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { describeOn } from "../../../test/gateway/support/describeOn.ts"
import { startGateway } from "../../../test/gateway/support/realGateway.ts"
import { temporaryDirectory } from "../../../test/gateway/support/temporaryDirectory.ts"
import { freePort } from "../../../test/support/freePort.ts"
import type { ChatStore } from "../../src/core/conversation/chatTypes.ts"
import type { SessionsState } from "../../src/core/sessions/sessionTypes.ts"
import { EmbeddedConsole, until } from "../core/support/embeddedConsole.ts"

const HANG = "[[mock:text=never finished]] [[mock:hang]]"

const opened: Array<EmbeddedConsole> = []
afterEach(() => {
  for (const app of opened.splice(0)) app.dispose()
})

/** The console in a browser that knows nothing yet. */
async function freshBrowser(gateway: { readonly url: string; readonly token: string }): Promise<EmbeddedConsole> {
  const app = new EmbeddedConsole(gateway.url.replace("http", "ws"), gateway.token)
  opened.push(app)
  await app.connect()
  await until(app.sessions.state, ({ status }) => status === "ready")
  return app
}

async function makeSession(app: EmbeddedConsole): Promise<{ readonly key: string; readonly chat: ChatStore }> {
  const key = app.sessions.create()
  const chat = app.open(key)
  await until(chat.state, ({ status }) => status === "ready")
  return { key, chat }
}

const answered = (chat: ChatStore) =>
  until(chat.state, ({ running, items }) => !running && items.some(({ kind }) => kind === "assistant"))
const rowWhere = (
  app: EmbeddedConsole,
  key: string,
  isIt: (row: SessionsState["rows"][number]) => boolean
): Promise<SessionsState> => until(app.sessions.state, ({ rows }) => rows.some((row) => row.key === key && isIt(row)))
const title = (app: EmbeddedConsole, key: string) => app.sessions.find(key)?.title

for (const gateway of inject("gateways")) {
  const isOld = gateway.version.startsWith("2026.3")
  describeOn(gateway)(`the sessions of gateway ${gateway.version}`, () => {
    it("are named after the first words a person wrote, or by the gateway's model, in every browser", async () => {
      const app = await freshBrowser(gateway)
      const { key, chat } = await makeSession(app)
      assert.strictEqual(title(app, key), "New session")
      chat.send("Lisbon in May")
      await rowWhere(app, key, ({ title: shown }) => shown.includes("Lisbon in May"))
      await answered(chat)
      const made = await makeSession(app)
      made.chat.send("/model mock/mock-think")
      await answered(made.chat)
      made.chat.send("Porto in June")
      await until(made.chat.state, ({ running, items }) => !running && items.length >= 4)
      const fresh = await freshBrowser(gateway)
      await rowWhere(fresh, key, ({ title: shown }) => shown.includes("Lisbon in May"))
      await rowWhere(fresh, made.key, ({ title: shown }) => shown === "Porto in June")
      for (const row of fresh.sessions.state.get().rows)
        assert.notMatch(row.title, /untrusted|^System:|^[0-9a-f]{8} \(/)
    })

    it("are named after the beginning of a session that one answer of the history does not reach", async () => {
      const app = await freshBrowser(gateway)
      const key = `agent:main:client:${crypto.randomUUID()}`
      const chat = app.open(key)
      await until(chat.state, ({ status }) => status === "ready")
      chat.send("Where it all began")
      await answered(chat)
      for (let index = 0; index < 25; index++)
        await app.link.request("chat.inject", { sessionKey: key, message: `Note ${index}` })
      const fresh = await freshBrowser(gateway)
      await rowWhere(fresh, key, ({ title: shown }) => shown === "Where it all began")
    })

    it("are not working any more when they were stopped, for who watches and for a fresh browser", async () => {
      const app = await freshBrowser(gateway)
      const watching = await freshBrowser(gateway)
      const { key, chat } = await makeSession(app)
      chat.send(HANG)
      await until(chat.state, ({ activity }) => activity === "STREAMING")
      await rowWhere(watching, key, ({ state }) => state === "working")
      const late = await freshBrowser(gateway)
      await rowWhere(late, key, ({ state }) => state === "working")
      assert.isTrue((await chat.abort()).ok)
      for (const browser of [app, watching, late]) await rowWhere(browser, key, ({ running }) => !running)
      if (isOld) await until(chat.state, ({ items }) => items.some(({ kind }) => kind === "aborted"))
      const fresh = await freshBrowser(gateway)
      await fresh.sessions.refresh()
      assert.isFalse(fresh.sessions.find(key)?.running)
      chat.send("[[mock:text=back again]]")
      await until(chat.state, ({ items }) =>
        items.some((item) => item.kind === "assistant" && item.text === "back again")
      )
      await rowWhere(watching, key, ({ running, state }) => !running && state === "unread")
    })

    it("leave the list at once where another browser deletes them", async () => {
      const app = await freshBrowser(gateway)
      const watching = await freshBrowser(gateway)
      const { key, chat } = await makeSession(app)
      chat.send("soon gone")
      await answered(chat)
      await rowWhere(watching, key, () => true)
      watching.sessions.select(key)
      await app.sessions.remove(key)
      await until(watching.sessions.state, ({ rows }) => rows.every((row) => row.key !== key))
    })

    it("are side by side if a person made them, and below it if an agent did", async () => {
      const app = await freshBrowser(gateway)
      const made = []
      for (let index = 0; index < 5; index++) {
        const one = await makeSession(app)
        one.chat.send(`Number ${index}`)
        await answered(one.chat)
        made.push(one)
      }
      const [first] = made
      first?.chat.send('[[mock:tool=sessions_spawn {"task":"count to three","label":"Counter"}]]')
      const { tree } = await until(app.sessions.state, ({ rows }) =>
        rows.some(({ parentKey }) => parentKey !== null && parentKey === first?.key)
      )
      for (const { key } of made) assert.isTrue(tree.some(({ row }) => row.key === key))
      const family = tree.find(({ row }) => row.key === first?.key)
      assert.deepStrictEqual(
        family?.children.map(({ row }) => row.kind),
        ["subagent"]
      )
    })

    if (isOld)
      it.live("are not working any more when their gateway was started anew", () =>
        Effect.gen(function* () {
          const { version } = gateway
          const options = {
            version,
            home: yield* temporaryDirectory,
            port: yield* Effect.promise(freePort),
            token: "restart-token"
          }
          const where = { url: `http://127.0.0.1:${options.port}`, token: options.token }
          const first = yield* Scope.make()
          yield* startGateway(options).pipe(Scope.provide(first))
          const app = yield* Effect.promise(() => freshBrowser(where))
          const { key, chat } = yield* Effect.promise(() => makeSession(app))
          chat.send(HANG)
          yield* Effect.promise(() => rowWhere(app, key, ({ state }) => state === "working"))
          yield* Scope.close(first, Exit.void)
          yield* startGateway(options)
          app.link.retryNow()
          yield* Effect.promise(() => rowWhere(app, key, ({ running }) => !running))
          const fresh = yield* Effect.promise(() => freshBrowser(where))
          yield* Effect.promise(() => fresh.sessions.refresh())
          assert.isFalse(fresh.sessions.find(key)?.running)
        }).pipe(Effect.scoped)
      )
  })
}
