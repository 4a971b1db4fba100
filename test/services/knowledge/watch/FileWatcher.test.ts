import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, PubSub, type Scope } from "effect"
import type { PublishedEvent } from "../../../../src/contract/ConsoleEvent.ts"
import { TextFiles } from "../../../../src/services/knowledge/files/TextFiles.ts"
import { FileWatcher } from "../../../../src/services/knowledge/watch/FileWatcher.ts"
import { EventBus } from "../../../../src/services/platform/events/EventBus.ts"
import { Settings } from "../../../../src/services/platform/settings/Settings.ts"
import { fileServices, temporaryFolder } from "../../../support/fileServices.ts"

interface Probe {
  readonly fs: FileSystem.FileSystem
  readonly workspace: string
  /** The next event that the filter accepts. */
  readonly next: (accept: (event: PublishedEvent) => boolean) => Effect.Effect<PublishedEvent>
}

const withWatcher = <A, E>(
  prepare: (fs: FileSystem.FileSystem, workspace: string) => Effect.Effect<unknown, E>,
  body: (probe: Probe) => Effect.Effect<A, E, TextFiles | Settings | Scope.Scope>
) =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const services = Layer.mergeAll(EventBus.layer, fileServices(folder))
    yield* Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const workspace = `${(yield* Settings).gatewayHome}/workspace`
      yield* prepare(fs, workspace)
      const subscription = yield* (yield* EventBus).subscribe
      yield* Layer.build(FileWatcher)
      const next = (accept: (event: PublishedEvent) => boolean): Effect.Effect<PublishedEvent> =>
        Effect.filterOrElse(PubSub.take(subscription), accept, () => next(accept))
      yield* body({ fs, workspace, next })
    }).pipe(Effect.provide(services))
  }).pipe(Effect.scoped)

const isFile = (path: string) => (event: PublishedEvent) =>
  event.event === "file.changed" && "path" in event.data && event.data.path === path

const settled = (probe: Probe, path: string, expected: number): Effect.Effect<void> =>
  Effect.flatMap(probe.next(isFile(path)), (event) =>
    "mtime" in event.data && event.data.mtime === expected ? Effect.void : settled(probe, path, expected)
  )

const mtime = (fs: FileSystem.FileSystem, path: string) =>
  Effect.map(fs.stat(path), (info) => (info.mtime._tag === "Some" ? Math.trunc(info.mtime.value.getTime()) : 0))

const makeWorkspace = (fs: FileSystem.FileSystem, workspace: string) =>
  fs.makeDirectory(`${workspace}/memory`, { recursive: true })

/** Writes a marker file until the watcher reports it. */
const standing = (probe: Probe) =>
  Effect.raceFirst(
    probe.next(isFile("ready.txt")),
    Effect.forever(
      Effect.andThen(probe.fs.writeFileString(`${probe.workspace}/ready.txt`, "x"), Effect.sleep("20 millis"))
    )
  )

describe("FileWatcher", () => {
  it.live("announces saves in place and by rename, with the last state of a burst", () =>
    withWatcher(makeWorkspace, (probe) =>
      Effect.gen(function* () {
        const { fs, workspace } = probe
        yield* standing(probe)
        const path = `${workspace}/SOUL.md`
        yield* fs.writeFileString(path, "one")
        yield* settled(probe, "SOUL.md", yield* mtime(fs, path))
        yield* fs.writeFileString(`${workspace}/SOUL.md.new`, "two")
        yield* fs.utimes(`${workspace}/SOUL.md.new`, 1_700_000_000, 1_700_000_000)
        yield* fs.rename(`${workspace}/SOUL.md.new`, path)
        yield* settled(probe, "SOUL.md", 1_700_000_000_000)
        for (let save = 1; save <= 50; save++) {
          yield* fs.writeFileString(path, `burst ${save}`)
          yield* fs.utimes(path, 1_800_000_000 + save, 1_800_000_000 + save)
        }
        yield* settled(probe, "SOUL.md", 1_800_000_050_000)
        yield* fs.remove(path)
        yield* settled(probe, "SOUL.md", 0)
      })
    )
  )

  it.live("sees folders and files that did not exist at the start", () =>
    withWatcher(
      () => Effect.void,
      (probe) =>
        Effect.gen(function* () {
          const { fs, workspace } = probe
          yield* makeWorkspace(fs, workspace)
          yield* standing(probe)
          const daily = probe.next((event) => event.event === "memory.changed")
          yield* fs.writeFileString(`${workspace}/memory/2026-01-05.md`, "## Morning\n")
          assert.deepStrictEqual((yield* daily).data, { source: "file", action: "updated", file: "2026-01-05.md" })
          yield* fs.writeFileString(`${workspace}/MEMORY.md`, "## General\n")
          const longTerm = yield* probe.next(
            (event) => event.event === "memory.changed" && "file" in event.data && event.data.file === "MEMORY.md"
          )
          assert.deepStrictEqual(longTerm.data, { source: "file", action: "updated", file: "MEMORY.md" })
        })
    )
  )

  it.live("the console's own memory writes are not announced as somebody else's", () =>
    withWatcher(makeWorkspace, (probe) =>
      Effect.gen(function* () {
        yield* standing(probe)
        const settings = yield* Settings
        const files = yield* TextFiles
        yield* files.edit(settings.memoryPath, "MEMORY.md", () => Effect.succeed({ text: "own", value: undefined }))
        yield* probe.next(isFile("MEMORY.md"))
        yield* probe.fs.writeFileString(`${probe.workspace}/memory/2026-01-06.md`, "x")
        const first = yield* probe.next((event) => event.event === "memory.changed")
        assert.deepStrictEqual(first.data, { source: "file", action: "updated", file: "2026-01-06.md" })
      })
    )
  )

  it.live("folders below the top are watched only by the setting", () =>
    withWatcher(makeWorkspace, (probe) =>
      Effect.gen(function* () {
        yield* standing(probe)
        yield* probe.fs.makeDirectory(`${probe.workspace}/deep`)
        yield* probe.fs.writeFileString(`${probe.workspace}/deep/inside.md`, "x")
        yield* probe.fs.writeFileString(`${probe.workspace}/TOOLS.md`, "x")
        const seen = yield* probe.next((event) => isFile("TOOLS.md")(event) || isFile("deep/inside.md")(event))
        assert.isTrue(isFile("TOOLS.md")(seen))
      })
    )
  )
})
