import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { practiceGateway } from "../../../../practice-gateway/older/practiceGateway.ts"
import { EmbeddedGateway } from "../../../../practice-gateway/src/EmbeddedGateway.ts"
import type { SessionRow } from "../../../src/core/sessions/sessionTypes.ts"
import { foundEntries } from "../../../src/sessions/sessionEntries.ts"
import { EmbeddedConsole, until } from "../support/embeddedConsole.ts"

const MAIN = "agent:main:main"

/** A page on the gateway, closed with the test. */
const page = Effect.gen(function* () {
  const { token, wsUrl } = yield* EmbeddedGateway
  const app = yield* Effect.acquireRelease(
    Effect.sync(() => new EmbeddedConsole(wsUrl, Redacted.value(token))),
    (open) => Effect.sync(() => open.dispose())
  )
  app.sessions.wantTitles(Number.POSITIVE_INFINITY)
  yield* Effect.promise(() => app.connect())
  yield* Effect.promise(() => until(app.sessions.state, ({ status }) => status === "ready"))
  return app
})

/** Waits for what a page's list says of a session. */
const row = (app: EmbeddedConsole, key: string, holds: (found: SessionRow) => boolean) =>
  Effect.promise(() => until(app.sessions.state, ({ rows }) => rows.some((one) => one.key === key && holds(one))))

/** Another client says something in a session without a name; answers when the agent has answered. */
const talk = (app: EmbeddedConsole, key: string, message: string) =>
  Effect.promise(async () => {
    await app.link.request("chat.send", { sessionKey: key, message, idempotencyKey: key })
    await app.link.request("agent.wait", { runId: key, timeoutMs: 10_000 })
  })

describe.each(["old", "new"] as const)("the list of sessions over a real socket, %s generation", (generation) => {
  const Fast = practiceGateway({ generation, tokenMs: 0, seed: false })
  const Slow = practiceGateway({ generation, tokenMs: 25, seed: false })

  it.live("names a session after the first words a person wrote, while the answer is on its way", () =>
    Effect.gen(function* () {
      const app = yield* page
      const key = app.sessions.create()
      assert.isNull(app.sessions.find(key)?.preview ?? null)
      const chat = app.open(key)
      chat.send("Trip to Lisbon")
      yield* row(app, key, ({ title }) => title === "Trip to Lisbon")
      assert.isTrue(app.sessions.find(key)?.running)
      yield* Effect.promise(() => until(chat.state, ({ items, running }) => !running && items.length > 1))
      assert.strictEqual(app.sessions.find(key)?.title, "Trip to Lisbon")
    }).pipe(Effect.provide(Slow))
  )

  it.live("names what other clients began", () =>
    Effect.gen(function* () {
      const other = yield* page
      const long = "which goes on and on until no list could hold it"
      const keys = Array.from({ length: 12 }, () => `agent:main:client:${randomUUID()}`)
      for (const [index, key] of keys.entries()) yield* talk(other, key, `Subject ${index}, ${long}`)
      const app = yield* page
      for (const [index, key] of keys.entries())
        yield* row(app, key, ({ title }) => title.startsWith(`Subject ${index}, which`))
      const titles = app.sessions.state.get().rows.map(({ title }) => title)
      assert.notInclude(titles, "New session")
    }).pipe(Effect.provide(Fast))
  )

  it.live("notifies every page when a run was stopped, and takes no stopped or lost one for a working one", () =>
    Effect.gen(function* () {
      const { control } = yield* EmbeddedGateway
      const app = yield* page
      const key = `agent:main:dashboard:${randomUUID()}`
      const chat = app.open(key)
      chat.send("hang")
      yield* Effect.promise(() => until(chat.state, ({ items }) => items.some(({ kind }) => kind === "assistant")))
      const second = yield* page
      yield* row(second, key, ({ running }) => running)
      yield* Effect.promise(() => app.sessions.stop(key))
      yield* row(second, key, ({ running }) => !running)
      const isIdle = (fresh: EmbeddedConsole) =>
        Effect.gen(function* () {
          yield* row(fresh, key, ({ title, running }) => title === "hang" && !running)
          assert.isTrue(fresh.sessions.state.get().rows.every(({ running }) => !running))
        })
      yield* isIdle(yield* page)
      chat.send("hang on")
      yield* row(app, key, ({ running }) => running)
      // Away for a moment, as a real gateway is: a page knows its start only to some milliseconds.
      yield* control.stop
      yield* Effect.sleep("1 second")
      yield* control.start
      yield* row(app, key, ({ running }) => !running)
      yield* isIdle(yield* page)
    }).pipe(Effect.provide(Fast))
  )

  it.live("calls for attention about a failure until somebody saw it", () =>
    Effect.gen(function* () {
      const app = yield* page
      const other = yield* page
      const key = `agent:main:client:${randomUUID()}`
      yield* talk(other, key, "please fail")
      yield* row(app, key, ({ title, state }) => title === "please fail" && state === "error")
      app.sessions.setVisible(true)
      app.sessions.select(key)
      yield* row(app, key, ({ state, failed }) => state === "idle" && failed)
    }).pipe(Effect.provide(Fast))
  )

  it.live("keeps the main conversation first, and finds it by its name alone", () =>
    Effect.gen(function* () {
      const other = yield* page
      yield* talk(other, MAIN, "first of all")
      for (let index = 0; index < 70; index++)
        yield* Effect.promise(() =>
          other.link.request("sessions.patch", { key: `agent:main:many-${index}`, label: `Numbered ${index}` })
        )
      const app = yield* page
      yield* row(app, "agent:main:many-69", ({ title }) => title === "Numbered 69")
      const { rows, tree } = app.sessions.state.get()
      assert.isTrue(tree.some((node) => node.row.key === MAIN))
      assert.deepStrictEqual(
        foundEntries(rows, "main", 100).flatMap((entry) => (entry.kind === "session" ? [entry.row.key] : [])),
        [MAIN]
      )
    }).pipe(Effect.provide(Fast))
  )

  it.live("drops a session at once that another client deleted", () =>
    Effect.gen(function* () {
      const app = yield* page
      const other = yield* page
      const key = `agent:main:dashboard:${randomUUID()}`
      yield* talk(other, key, "soon gone")
      yield* row(app, key, ({ title }) => title === "soon gone")
      yield* Effect.promise(() => other.link.request("sessions.delete", { key }))
      yield* Effect.promise(() => until(app.sessions.state, ({ rows }) => rows.every((one) => one.key !== key)))
    }).pipe(Effect.provide(Fast))
  )
})
