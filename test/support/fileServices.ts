import { NodeServices } from "@effect/platform-node"
import { Effect, FileSystem, Layer, type Scope } from "effect"
import { PathLocks } from "../../src/services/files/PathLocks.ts"
import { TextFiles } from "../../src/services/files/TextFiles.ts"
import { Settings } from "../../src/services/settings/Settings.ts"
import { testSettings } from "./testSettings.ts"

/** An empty folder that is removed with the test's scope. */
export const temporaryFolder: Effect.Effect<string, never, Scope.Scope> = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.makeTempDirectoryScoped({ prefix: "agent-console-" })
}).pipe(Effect.provide(NodeServices.layer), Effect.orDie)

/** Settings whose homes are inside a folder, and the real file services under them. */
export const fileServices = (folder: string) => {
  const gatewayHome = `${folder}/gateway`
  const settings = testSettings({
    svcHome: `${folder}/svc`,
    gatewayHome,
    memoryPath: `${gatewayHome}/workspace/MEMORY.md`,
    memoryDir: `${gatewayHome}/workspace/memory`
  })
  return TextFiles.layer.pipe(
    Layer.provideMerge(PathLocks.layer),
    Layer.provideMerge(Settings.layerOf(settings)),
    Layer.provideMerge(NodeServices.layer)
  )
}
