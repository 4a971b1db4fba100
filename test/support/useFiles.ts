import "./sourceDefines.mjs"
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { WorkspaceFiles } from "../../src/services/knowledge/files/WorkspaceFiles.ts"
import { EventBus } from "../../src/services/platform/events/EventBus.ts"
import { Settings } from "../../src/services/platform/settings/Settings.ts"
import { PathLocks } from "../../src/services/platform/storage/PathLocks.ts"
import { quietAgents } from "./quietAgents.ts"
import { testSettings } from "./testSettings.ts"

/**
 * A process of its own that uses the files below a root. `saves`: saves `a.md` again and again, printing the number of
 * each save that is done. Any other word: tries each operation on the paths that follow and prints what came of it.
 */
const [root = "", mode = "", ...paths] = process.argv.slice(2)

const layer = WorkspaceFiles.layer.pipe(
  Layer.provide([PathLocks.layer, EventBus.layer, quietAgents, NodeServices.layer]),
  Layer.provide(Settings.layerOf(testSettings({ fileBrowserRoot: root })))
)

const saves = Effect.gen(function* () {
  const files = yield* WorkspaceFiles
  let { content, mtime } = yield* files.read("a.md")
  for (let number = Number(content.split(" ")[0]) + 1; ; number += 1) {
    content = `${number} `.repeat(20_000)
    mtime = yield* files.write("a.md", content, mtime)
    process.stdout.write(`${number}\n`)
  }
})

const tries = Effect.gen(function* () {
  const files = yield* WorkspaceFiles
  const outcome = <A, E extends { readonly _tag: string; readonly message: string }>(effect: Effect.Effect<A, E>) =>
    effect.pipe(
      Effect.as("ok"),
      Effect.catch((error) => Effect.succeed(`${error._tag} ${error.message}`))
    )
  for (const path of paths) {
    const lines = {
      read: yield* outcome(files.read(path)),
      write: yield* outcome(files.write(`${path}/new.md`, "", 0)),
      remove: yield* outcome(files.remove(path))
    }
    process.stdout.write(`${JSON.stringify({ path, ...lines })}\n`)
  }
})

await Effect.runPromise((mode === "saves" ? saves : tries).pipe(Effect.provide(layer)))
