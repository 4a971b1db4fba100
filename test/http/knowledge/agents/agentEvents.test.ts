import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, PubSub } from "effect"
import type { PublishedEvent } from "../../../../src/contract/ConsoleEvent.ts"
import { makeKnowledgeApp } from "../../../support/knowledgeApp.ts"

type Fields = Readonly<Record<string, unknown>>

const repeatedly = <E>(step: Effect.Effect<void, E>) => Effect.forever(Effect.andThen(step, Effect.sleep("20 millis")))

/** The app with a second agent, both workspaces, and its event stream. */
const watchedApp = Effect.fnUntraced(function* (count = 1) {
  const app = yield* makeKnowledgeApp({
    agents: ({ gatewayHome }) =>
      Array.from({ length: count }, (_, index) => {
        const id = index === 0 ? "helper" : `helper-${index}`
        return { id, workspace: join(gatewayHome, `workspace-${id}`) }
      })
  })
  const places = app.agents.list.map(({ workspace = "" }) => workspace)
  for (const place of places) mkdirSync(join(place, "memory"), { recursive: true })
  const [main = "", helper = ""] = places
  const subscription = yield* app.events.subscribe
  const next = (name: string, accept: (data: Fields) => boolean): Effect.Effect<Fields> =>
    Effect.flatMap(PubSub.take(subscription), ({ event, data }: PublishedEvent) => {
      const fields: Fields = { ...data }
      return event === name && accept(fields) ? Effect.succeed(fields) : next(name, accept)
    })
  /** Writes a marker file until the workspace's watcher reports it. */
  const standing = (place: string, agent: string | undefined) =>
    Effect.raceFirst(
      next("file.changed", ({ path, ...data }) => path === "ready.txt" && data.agent === agent),
      repeatedly(Effect.sync(() => writeFileSync(join(place, "ready.txt"), "x")))
    )
  return { ...app, main, helper, next, standing }
})

describe("events of agents' files", () => {
  it.live("name the agent whose files changed, and nobody for the default agent's", () =>
    Effect.gen(function* () {
      const { main, helper, next, standing } = yield* watchedApp()
      yield* standing(main, undefined)
      yield* standing(helper, "helper")
      writeFileSync(join(helper, "MEMORY.md"), "## S\n- x\n")
      assert.deepStrictEqual(yield* next("memory.changed", () => true), {
        source: "file",
        action: "updated",
        file: "MEMORY.md",
        agent: "helper"
      })
      const saved = yield* next("file.changed", ({ path }) => path === "MEMORY.md")
      assert.deepStrictEqual(Object.keys(saved), ["path", "mtime", "agent"])
      assert.strictEqual(saved.agent, "helper")
      writeFileSync(join(helper, "memory", "2026-01-02.md"), "## Day\n")
      assert.include(yield* next("memory.changed", ({ file }) => file === "2026-01-02.md"), { agent: "helper" })
      writeFileSync(join(main, "MEMORY.md"), "## S\n- y\n")
      assert.deepStrictEqual(yield* next("memory.changed", () => true), {
        source: "file",
        action: "updated",
        file: "MEMORY.md"
      })
      const own = yield* next("file.changed", ({ path }) => path === "MEMORY.md")
      assert.deepStrictEqual(Object.keys(own), ["path", "mtime"])
    })
  )

  it.live("report what is saved through the console once, with the agent's name", () =>
    Effect.gen(function* () {
      const { send, helper, next, standing } = yield* watchedApp()
      yield* standing(helper, "helper")
      yield* send("POST", "/api/memories?agent=helper", { text: "tea", section: "S" })
      assert.deepStrictEqual(yield* next("memory.changed", () => true), {
        source: "api",
        action: "added",
        section: "S",
        file: "MEMORY.md",
        agent: "helper"
      })
      yield* send("POST", "/api/files/mkdir?agent=helper", { path: "deep" })
      yield* send("POST", "/api/files/write?agent=helper", { path: "deep/a.md", content: "x", mtime: 0 })
      assert.include(yield* next("file.changed", ({ path }) => path === "deep/a.md"), { agent: "helper" })
      yield* send("DELETE", "/api/memories?agent=helper", { query: "tea" })
      const after = yield* next("memory.changed", () => true)
      assert.include(after, { source: "api", action: "deleted", agent: "helper" })
    })
  )

  it.live("come for an agent made while the console runs, also before its folder, and end with the agent", () =>
    Effect.gen(function* () {
      const { agents, gateway, main, helper, next, standing, settings } = yield* watchedApp()
      yield* standing(helper, "helper")
      const later = join(settings.gatewayHome, "workspace", "later")
      agents.list = [...agents.list, { id: "later", workspace: later }]
      yield* Effect.raceFirst(
        next("file.changed", ({ agent, path }) => agent === "later" && path === "SOUL.md"),
        repeatedly(
          Effect.gen(function* () {
            yield* gateway.emit("health", {})
            mkdirSync(later, { recursive: true })
            writeFileSync(join(later, "SOUL.md"), "x")
          })
        )
      )
      agents.list = agents.list.filter(({ id }) => id !== "helper")
      yield* Effect.raceFirst(
        Effect.gen(function* () {
          // Both are written again and again: the default agent's alone are heard of in the end.
          for (let alone = 0; alone < 10; alone += 1) {
            const { agent } = yield* next("file.changed", ({ path }) => path === "mark.md")
            if (agent === "helper") alone = -1
          }
        }),
        repeatedly(
          Effect.gen(function* () {
            yield* gateway.emit("config.changed", {})
            for (const place of [helper, main]) writeFileSync(join(place, "mark.md"), "x")
          })
        )
      )
    })
  )

  it.live("have a limit: of agents beyond it the console reports only what goes through it", () =>
    Effect.gen(function* () {
      const { send, next, standing, settings } = yield* watchedApp(40)
      yield* standing(join(settings.gatewayHome, "workspace-helper-31"), "helper-31")
      yield* send("PUT", "/api/workspace/soul?agent=helper-32", { content: "x" })
      yield* send("POST", "/api/files/write?agent=helper-32", { path: "a.md", content: "x", mtime: 0 })
      const seen = yield* next("file.changed", ({ agent }) => agent === "helper-32")
      assert.strictEqual(seen.path, "a.md", "the document's own file is not watched")
    })
  )
})
