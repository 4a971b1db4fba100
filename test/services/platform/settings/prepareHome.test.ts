import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { prepareHome } from "../../../../src/services/platform/settings/prepareHome.ts"
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
