import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schedule, Schema } from "effect"
import { makeAnsweringGateway } from "../../../support/answeringGateway.ts"
import { makeGatewayApp, makeJsonApp } from "../../../support/gatewayApp.ts"

const MAIN = "agent:main:main"

/** Not too often: the console answers so many requests a minute. */
const eventually = <A, E>(ask: Effect.Effect<A, E>, isIt: (answer: A) => boolean) =>
  Effect.repeat(ask, { schedule: Schedule.spaced("100 millis"), until: isIt })

const makeWorld = Effect.fnUntraced(function* (generation: "old" | "new") {
  const app = yield* makeGatewayApp({ generation, seed: false })
  for (let number = 0; number < 5; number += 1)
    yield* app.client.request("sessions.create", { key: `agent:main:s${number}` }, Schema.Unknown)
  const list = (query = "") => app.send("GET", `/api/sessions${query}`)
  const change = (sessionKey: string, more: object) => app.send("PATCH", "/api/sessions", { sessionKey, ...more })
  const until = (query: string, isIt: (keys: ReadonlyArray<string>) => boolean) =>
    eventually(Effect.map(list(query), keysOf), isIt)
  return { ...app, change, list, until }
})

const keysOf = ({ body }: { readonly body: { readonly sessions: ReadonlyArray<{ readonly key: string }> } }) =>
  body.sessions.map(({ key }) => key)

for (const generation of ["old", "new"] as const)
  describe(`GET /api/sessions, ${generation} generation`, () => {
    it.live("gives all of them page by page, none twice, and archived ones apart", () =>
      Effect.gen(function* () {
        const { change, list, until } = yield* makeWorld(generation)
        yield* until("", (keys) => keys.length === 6)
        const seen: Array<string> = []
        let cursor: string | undefined
        do {
          const { body } = yield* list(`?limit=4${cursor === undefined ? "" : `&cursor=${cursor}`}`)
          seen.push(...body.sessions.map(({ key }: { readonly key: string }) => key))
          cursor = body.cursor
        } while (cursor !== undefined)
        assert.lengthOf(seen, 6)
        assert.lengthOf([...new Set(seen)], 6)
        const { body, status } = yield* change("agent:main:s3", { archived: true })
        assert.strictEqual(status, 200)
        assert.deepInclude(body, { key: "agent:main:s3", archived: true, pinned: false })
        assert.deepStrictEqual(keysOf(yield* list("?archived=true")), ["agent:main:s3"])
        assert.notInclude(keysOf(yield* list("?gateway=primary")), "agent:main:s3")
      })
    )

    it.live("PATCH changes what is said and answers with the session as it is then", () =>
      Effect.gen(function* () {
        const { change } = yield* makeWorld(generation)
        const named = yield* change("agent:main:s1", {
          label: "Tulips",
          pinned: true,
          group: "Garden",
          thinking: "low"
        })
        assert.strictEqual(named.status, 200)
        assert.deepInclude(named.body, {
          key: "agent:main:s1",
          gatewayId: "primary",
          name: "Tulips",
          pinned: true,
          group: "Garden",
          thinking: "low"
        })
        const taken = yield* change("agent:main:s2", { label: "Tulips" })
        assert.strictEqual(taken.status, 409)
        assert.strictEqual(taken.body.error, "label_in_use")
        assert.strictEqual(taken.body.why.code, "LABEL_IN_USE")
        const cleared = yield* change("agent:main:s1", { label: null, group: null, pinned: false })
        assert.notProperty(cleared.body, "name")
        assert.notProperty(cleared.body, "group")
        assert.isFalse(cleared.body.pinned)
        const unknown = yield* change("agent:main:s1", { thinking: "sideways" })
        assert.strictEqual(unknown.status, 400)
        assert.strictEqual(unknown.body.error, "validation_error")
        for (const wrong of [{}, { label: "" }, { pinned: 1 }, { archived: "yes" }, { group: "x".repeat(61) }])
          assert.strictEqual((yield* change("agent:main:s1", wrong)).status, 400)
      })
    )

    it.live("PATCH marks a session as seen, and reset begins it anew", () =>
      Effect.gen(function* () {
        const { change, client, list, send } = yield* makeWorld(generation)
        const key = "agent:main:s4"
        // What ends from now on is news.
        yield* list()
        yield* client.request("chat.send", { sessionKey: key, message: "hello", idempotencyKey: "one" }, Schema.Unknown)
        yield* client.request("agent.wait", { runId: "one", timeoutMs: 10_000 }, Schema.Unknown)
        const before = yield* change(key, { pinned: true })
        assert.deepInclude(before.body, { state: "unread", unread: true })
        assert.deepInclude((yield* change(key, { seen: true })).body, { state: "idle", unread: false })
        const reset = yield* send("POST", "/api/sessions/reset", { sessionKey: key })
        assert.strictEqual(reset.status, 200)
        assert.strictEqual(reset.body.key, key)
        assert.notProperty(reset.body, "preview")
        assert.notProperty(reset.body, "title")
      })
    )
  })

describe("GET /api/sessions", () => {
  it.live("refuses a damaged cursor, a limit that isn't one, and a gateway that isn't there", () =>
    Effect.gen(function* () {
      const { list, send } = yield* makeWorld("new")
      for (const query of ["?limit=0", "?limit=2001", "?limit=x", "?cursor=abc", "?cursor=", "?archived=maybe"]) {
        const { body, status } = yield* list(query)
        assert.strictEqual(status, 400, query)
        assert.strictEqual(body.error, "validation_error")
      }
      assert.strictEqual((yield* list("?limit=2000")).status, 200)
      for (const { body, status } of [
        yield* list("?gateway=none"),
        yield* send("PATCH", "/api/sessions", { sessionKey: `@none:${MAIN}`, pinned: true }),
        yield* send("POST", "/api/sessions/reset", { sessionKey: `@none:${MAIN}` })
      ]) {
        assert.strictEqual(status, 404)
        assert.strictEqual(body.error, "unknown_gateway")
      }
    })
  )

  it.live("says why where no list could be read", () =>
    Effect.gen(function* () {
      const { send } = yield* makeJsonApp()
      const { body, status } = yield* send("GET", "/api/sessions")
      assert.strictEqual(status, 502)
      assert.strictEqual(body.error, "gateway_failure")
      assert.isString(body.why.code)
    })
  )

  it.live("has the title that a gateway makes of the first words, without saying so, when the turn ends", () =>
    Effect.gen(function* () {
      const key = "agent:main:x"
      let named: object = {}
      const gateway = yield* makeAnsweringGateway(
        () => Effect.sync(() => ({ sessions: [{ key, updatedAt: 1, ...named }] })),
        { protocol: 4, version: "1", scopes: [], methods: new Set() }
      )
      const { send } = yield* makeJsonApp({ gateway: gateway.layer })
      const row = Effect.map(send("GET", "/api/sessions"), ({ body }) =>
        body.sessions.find((one: { readonly key: string }) => one.key === key)
      )
      assert.notProperty(yield* eventually(row, (found) => found !== undefined), "title")
      named = { derivedTitle: "Tulips" }
      const message = { role: "assistant", content: "They are red." }
      yield* gateway.emit("chat", { sessionKey: key, runId: "r", state: "final", message })
      assert.deepInclude(yield* eventually(row, ({ title }) => title !== undefined), { title: "Tulips" })
    })
  )

  it.live("asks for no session again when its turn ends, unless it has no title yet", () =>
    Effect.gen(function* () {
      const untitled = "agent:main:untitled"
      const rows = [
        { key: MAIN },
        { key: "agent:main:cron:job" },
        { key: "agent:main:subagent:helper" },
        { key: "agent:main:named", label: "Tulips" },
        { key: "agent:main:titled", derivedTitle: "Roses" },
        { key: untitled }
      ].map((row) => ({ updatedAt: 1, ...row }))
      const gateway = yield* makeAnsweringGateway(() => Effect.succeed({ sessions: rows }), {
        protocol: 4,
        version: "1",
        scopes: [],
        methods: new Set()
      })
      const { send } = yield* makeJsonApp({ gateway: gateway.layer })
      yield* eventually(Effect.map(send("GET", "/api/sessions"), keysOf), (keys) => keys.length === rows.length)
      const searched = () =>
        gateway.calls.flatMap(({ params }) => {
          const { includeDerivedTitles, search } = Object(params)
          return includeDerivedTitles === true && search !== undefined ? [search] : []
        })
      const end = (sessionKey: string) =>
        gateway.emit("chat", { sessionKey, runId: sessionKey, state: "final", message: { role: "assistant" } })
      // One at a time: what ends together is asked for together.
      for (const { key } of rows.slice(0, -1)) {
        yield* end(key)
        yield* end(untitled)
        const before = searched().length
        yield* eventually(Effect.sync(searched), ({ length }) => length > before)
      }
      assert.deepStrictEqual(
        searched(),
        rows.slice(1).map(() => untitled)
      )
    })
  )

  it.live("needs a gateway's token from another machine while sign-in is off, and then shows that gateway alone", () =>
    Effect.gen(function* () {
      const gateway = yield* makeAnsweringGateway(() => Effect.succeed({ sessions: [{ key: MAIN, updatedAt: 1 }] }), {
        protocol: 4,
        version: "1",
        scopes: [],
        methods: new Set()
      })
      const app = yield* makeJsonApp({ gateway: gateway.layer, settings: { gatewayToken: Redacted.make("right") } })
      const ask = (headers: Record<string, string>) => app.request("/api/sessions", { headers, peer: "8.8.8.8" })
      assert.strictEqual((yield* ask({})).status, 403)
      const answer = yield* ask({ "x-gateway-token": "right" })
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual(
        Object(yield* app.json(answer)).sessions.map(({ key }: { readonly key: string }) => key),
        [MAIN]
      )
    })
  )
})
