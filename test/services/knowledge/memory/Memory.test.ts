import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, PubSub, Ref, type Scope } from "effect"
import { GatewayTools } from "../../../../src/services/gateway/client/GatewayTools.ts"
import { toolNotAllowed } from "../../../../src/services/gateway/client/gatewayFailures.ts"
import { Memory } from "../../../../src/services/knowledge/memory/Memory.ts"
import { WorkspaceTexts } from "../../../../src/services/knowledge/texts/WorkspaceTexts.ts"
import { EventBus } from "../../../../src/services/platform/events/EventBus.ts"
import { Settings } from "../../../../src/services/platform/settings/Settings.ts"
import { fileServices, temporaryFolder } from "../../../support/fileServices.ts"

type Invoke = GatewayTools["Service"]["invoke"]

const refusing: Invoke = (tool) => Effect.fail(toolNotAllowed(tool))

const withMemory = <A, E>(
  body: Effect.Effect<A, E, Memory | EventBus | Settings | FileSystem.FileSystem | Scope.Scope>,
  invoke: Invoke = refusing
) =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const layer = Memory.layer.pipe(
      Layer.provide(WorkspaceTexts.here),
      Layer.provideMerge(Layer.mergeAll(Layer.mock(GatewayTools, { invoke }), EventBus.layer, fileServices(folder)))
    )
    return yield* body.pipe(Effect.provide(layer))
  }).pipe(Effect.scoped)

const writeFile = Effect.fnUntraced(function* (path: string, text: string) {
  const fs = yield* FileSystem.FileSystem
  yield* fs.makeDirectory(path.slice(0, path.lastIndexOf("/")), { recursive: true })
  yield* fs.writeFileString(path, text)
})

const readFile = (path: string) => Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(path))

describe("Memory", () => {
  it.effect("lists the long-term file, then headings of the seven latest days", () =>
    withMemory(
      Effect.gen(function* () {
        const settings = yield* Settings
        yield* writeFile(settings.memoryPath, "# Memory\n\n## General\n- likes tea\n")
        for (let day = 1; day <= 9; day++) {
          yield* writeFile(`${settings.memoryDir}/2026-01-0${day}.md`, `## Day ${day}\n- detail\n`)
        }
        yield* writeFile(`${settings.memoryDir}/2026-02-31.md`, "## Not a day\n")
        yield* writeFile(`${settings.memoryDir}/notes.md`, "## Not daily\n")
        const entries = yield* (yield* Memory).list
        assert.deepStrictEqual(entries.slice(0, 3), [
          { type: "section", text: "General" },
          { type: "item", text: "likes tea" },
          { type: "daily", date: "2026-01-09", text: "Day 9" }
        ])
        assert.strictEqual(entries.length, 2 + 7)
        assert.deepStrictEqual(entries.at(-1), { type: "daily", date: "2026-01-03", text: "Day 3" })
      })
    )
  )

  it.effect("is empty where nothing was written yet", () =>
    withMemory(
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* (yield* Memory).list, [])
        const missing = yield* (yield* Memory).readSection("General", undefined).pipe(Effect.flip)
        assert.strictEqual(missing._tag, "MemoryNotFound")
      })
    )
  )

  it.effect("a new memory is written, announced once, and kept when the gateway refuses its copy", () =>
    withMemory(
      Effect.gen(function* () {
        const memory = yield* Memory
        const events = yield* (yield* EventBus).subscribe
        const first = yield* memory.add({ text: "likes tea" })
        assert.isTrue(first.written)
        assert.strictEqual(first.section, "General")
        assert.include(first.storeFailure ?? "", "gateway.tools.allow")
        assert.deepStrictEqual(yield* memory.add({ text: "likes tea" }), {
          written: false,
          section: "General",
          storeFailure: undefined
        })
        assert.strictEqual(yield* readFile((yield* Settings).memoryPath), "## General\n\n- likes tea\n")
        const [event, ...more] = yield* PubSub.takeAll(events)
        assert.deepStrictEqual(event?.data, { source: "api", action: "added", section: "General", file: "MEMORY.md" })
        assert.deepStrictEqual(more, [])
      })
    )
  )

  it.effect("the gateway's vector store gets the text with its category and importance", () =>
    Effect.gen(function* () {
      const calls = yield* Ref.make<ReadonlyArray<object>>([])
      const invoke: Invoke = (tool, args) =>
        Ref.update(calls, (all) => [...all, { tool, args }]).pipe(Effect.andThen(Effect.fail(toolNotAllowed(tool))))
      yield* withMemory(
        Effect.flatMap(Memory, (memory) =>
          Effect.andThen(memory.add({ text: "a\nb" }), memory.add({ text: "c", category: "fact", importance: 1 }))
        ),
        invoke
      )
      assert.deepStrictEqual(yield* Ref.get(calls), [
        { tool: "memory_store", args: { text: "a b", category: "other", importance: 0.7 } },
        { tool: "memory_store", args: { text: "c", category: "fact", importance: 1 } }
      ])
    })
  )

  it.effect("the store is called in a session of the memory's agent", () =>
    Effect.gen(function* () {
      const sessions = yield* Ref.make<ReadonlyArray<string | undefined>>([])
      const invoke: Invoke = (tool, _args, _details, options) =>
        Ref.update(sessions, (all) => [...all, options?.sessionKey]).pipe(
          Effect.andThen(Effect.fail(toolNotAllowed(tool)))
        )
      yield* withMemory(
        Effect.gen(function* () {
          const memory = yield* Memory
          yield* memory.add({ text: "of the default agent" })
          yield* (yield* memory.of({ agent: "helper" })).add({ text: "of the helper" })
        }),
        invoke
      )
      assert.deepStrictEqual(yield* Ref.get(sessions), [undefined, "agent:helper:main"])
    })
  )

  it.effect("sections are replaced and removed in the long-term file and in a day's", () =>
    withMemory(
      Effect.gen(function* () {
        const settings = yield* Settings
        const memory = yield* Memory
        const day = `${settings.memoryDir}/2026-01-05.md`
        yield* writeFile(settings.memoryPath, "## A\r\n- one\r\n\r\n## B\r\n- two\r\n")
        yield* writeFile(day, "## Morning\n- walk\n")
        yield* memory.replaceSection({ title: "A", content: "- new\n- newer" })
        yield* memory.replaceSection({ title: "Morning", content: "- run", date: "2026-01-05" })
        assert.strictEqual(yield* readFile(settings.memoryPath), "## A\r\n- new\r\n- newer\r\n\r\n## B\r\n- two\r\n")
        assert.strictEqual(yield* memory.readSection("Morning", "2026-01-05"), "- run")
        assert.deepStrictEqual(yield* memory.remove({ query: "Morning", type: "daily", date: "2026-01-05" }), {
          deleted: 1,
          source: "daily",
          file: "2026-01-05.md",
          type: "daily"
        })
        assert.strictEqual(yield* readFile(day), "")
        assert.strictEqual((yield* memory.remove({ query: "two" })).deleted, 1)
        assert.strictEqual((yield* memory.remove({ query: "two" }).pipe(Effect.flip))._tag, "MemoryNotFound")
        assert.strictEqual((yield* memory.remove({ query: "A", type: "section" })).deleted, 1)
        assert.strictEqual(yield* readFile(settings.memoryPath), "## B\r\n")
      })
    )
  )

  it.effect("20 parallel additions are all kept", () =>
    withMemory(
      Effect.gen(function* () {
        const memory = yield* Memory
        const numbers = Array.from({ length: 20 }, (_, index) => `fact ${index}`)
        yield* Effect.forEach(numbers, (text) => memory.add({ text }), { concurrency: "unbounded" })
        const items = (yield* memory.list).filter((entry) => entry.type === "item").map((entry) => entry.text)
        assert.sameMembers(items, numbers)
      })
    )
  )
})
