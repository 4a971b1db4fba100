import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, FileSystem, PlatformError } from "effect"
import { createFileAtomic, writeFileAtomic } from "../../../../src/services/platform/storage/atomicFile.ts"

const PERMISSIONS = 0o777

const withDirectory = <E>(
  test: (directory: string, fs: FileSystem.FileSystem) => Effect.Effect<void, E, NodeServices.NodeServices>
) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    yield* test(yield* fs.makeTempDirectoryScoped(), fs)
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

it.effect("replaces the contents, keeps the mode and leaves nothing beside the file", () =>
  withDirectory((directory, fs) =>
    Effect.gen(function* () {
      const path = `${directory}/file.txt`
      yield* fs.writeFileString(path, "old and longer")
      yield* fs.chmod(path, 0o640)
      yield* writeFileAtomic(path, "new")
      assert.strictEqual(yield* fs.readFileString(path), "new")
      assert.strictEqual((yield* fs.stat(path)).mode & PERMISSIONS, 0o640)
      assert.deepStrictEqual(yield* fs.readDirectory(directory), ["file.txt"])
    })
  )
)

it.effect("makes a file that was not there, with the mode asked for", () =>
  withDirectory((directory, fs) =>
    Effect.gen(function* () {
      yield* writeFileAtomic(`${directory}/secret`, new Uint8Array([1, 2, 3]), { mode: 0o600 })
      assert.deepStrictEqual(yield* fs.readFile(`${directory}/secret`), new Uint8Array([1, 2, 3]))
      assert.strictEqual((yield* fs.stat(`${directory}/secret`)).mode & PERMISSIONS, 0o600)
    })
  )
)

it.effect("a symbolic link stays one and its file gets the contents", () =>
  withDirectory((directory, fs) =>
    Effect.gen(function* () {
      yield* fs.writeFileString(`${directory}/real.md`, "old")
      yield* fs.symlink(`${directory}/real.md`, `${directory}/link.md`)
      yield* writeFileAtomic(`${directory}/link.md`, "new")
      assert.strictEqual(yield* fs.readFileString(`${directory}/real.md`), "new")
      assert.strictEqual(yield* fs.readLink(`${directory}/link.md`), `${directory}/real.md`)
    })
  )
)

it.effect("a failed write leaves the old contents and no temporary file", () =>
  withDirectory((directory, fs) =>
    Effect.gen(function* () {
      const path = `${directory}/file.txt`
      yield* fs.writeFileString(path, "old")
      const broken = FileSystem.FileSystem.of({ ...fs, rename: () => fs.rename(`${directory}/missing`, path) })
      yield* Effect.flip(writeFileAtomic(path, "new").pipe(Effect.provideService(FileSystem.FileSystem, broken)))
      assert.strictEqual(yield* fs.readFileString(path), "old")
      assert.deepStrictEqual(yield* fs.readDirectory(directory), ["file.txt"])
    })
  )
)

it.effect("of writers that all make the file, one does and its contents stay", () =>
  withDirectory((directory, fs) =>
    Effect.gen(function* () {
      const path = `${directory}/file.txt`
      const made = yield* Effect.all(
        Array.from({ length: 20 }, (_, n) => createFileAtomic(path, `writer ${n}`)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(made.filter((first) => first).length, 1)
      assert.strictEqual(yield* fs.readFileString(path), `writer ${made.indexOf(true)}`)
      assert.deepStrictEqual(yield* fs.readDirectory(directory), ["file.txt"])
    })
  )
)

it.effect("on a disk without links, exactly one of several writers still creates a file", () =>
  withDirectory((directory, fs) =>
    Effect.gen(function* () {
      const path = `${directory}/new.txt`
      const refused = PlatformError.systemError({ _tag: "Unknown", module: "FileSystem", method: "link" })
      const created = yield* Effect.all(
        Array.from({ length: 5 }, (_, n) => createFileAtomic(path, `writer ${n}`, { mode: 0o600 })),
        { concurrency: "unbounded" }
      ).pipe(Effect.updateService(FileSystem.FileSystem, (own) => ({ ...own, link: () => Effect.fail(refused) })))
      assert.strictEqual(created.filter((isMine) => isMine).length, 1)
      assert.strictEqual(yield* fs.readFileString(path), `writer ${created.indexOf(true)}`)
      assert.strictEqual((yield* fs.stat(path)).mode & PERMISSIONS, 0o600)
      assert.deepStrictEqual(yield* fs.readDirectory(directory), ["new.txt"])
    })
  )
)
