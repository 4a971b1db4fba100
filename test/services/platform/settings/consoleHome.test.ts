import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, FileSystem, PlatformError } from "effect"
import { prepareHome } from "../../../../src/services/platform/settings/consoleHome.ts"
import { temporaryDirectory } from "../../../support/runConsole.ts"

it.effect("a missing home is made with its parents, for the owner alone", () =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const home = join(directory, "a", "b")
    yield* prepareHome(home, directory)
    assert.strictEqual(statSync(home).mode & 0o777, 0o700)
    assert.deepStrictEqual(readdirSync(home), [])
  }).pipe(Effect.provide(NodeServices.layer))
)

it.effect("a home that others may look into is closed", () =>
  Effect.gen(function* () {
    const home = join(yield* temporaryDirectory, "home")
    mkdirSync(home, { mode: 0o755 })
    yield* prepareHome(home, "/nowhere")
    assert.strictEqual(statSync(home).mode & 0o777, 0o700)
  }).pipe(Effect.provide(NodeServices.layer))
)

it.effect("a home that cannot be is one sentence that names SVC_HOME", () =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    writeFileSync(join(directory, "file"), "", { mode: 0o644 })
    for (const name of ["file", "file/home"]) {
      const error = yield* Effect.flip(prepareHome(join(directory, name), directory))
      assert.match(error.message, /^can't use the folder ~\/file.* there's a file in its place\. Set SVC_HOME /)
    }
    assert.strictEqual(statSync(join(directory, "file")).mode & 0o777, 0o644)
  }).pipe(Effect.provide(NodeServices.layer))
)

/** The machine's files on a disk that has no permissions to change. */
const withChmod = (chmod: FileSystem.FileSystem["chmod"]) =>
  Effect.updateService(FileSystem.FileSystem, (fs) => FileSystem.FileSystem.of({ ...fs, chmod }))

const refused = PlatformError.systemError({ _tag: "PermissionDenied", module: "FileSystem", method: "chmod" })

it.effect.each([
  ["refuses", Effect.fail(refused)],
  ["does nothing", Effect.void]
] as const)("a home that can't be closed because chmod %s is used, and said to be open", ([, answer]) =>
  Effect.gen(function* () {
    const home = join(yield* temporaryDirectory, "home")
    mkdirSync(home)
    chmodSync(home, 0o777)
    const open = yield* prepareHome(home, "/nowhere").pipe(withChmod(() => answer))
    assert.strictEqual(open, "withoutModes")
    assert.strictEqual(statSync(home).mode & 0o777, 0o777)
  }).pipe(Effect.provide(NodeServices.layer))
)
