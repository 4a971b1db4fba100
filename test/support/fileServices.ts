import { NodeServices } from "@effect/platform-node"
import { Effect, FileSystem, Layer, type Scope } from "effect"
import { TextFiles } from "../../src/services/knowledge/files/TextFiles.ts"
import { Settings } from "../../src/services/platform/settings/Settings.ts"
import { PathLocks } from "../../src/services/platform/storage/PathLocks.ts"
import { quietAgents } from "./quietAgents.ts"
import { testSettings } from "./testSettings.ts"

/** An empty folder that is removed with the test's scope. */
export const temporaryFolder: Effect.Effect<string, never, Scope.Scope> = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.makeTempDirectoryScoped({ prefix: "agent-console-" })
}).pipe(Effect.provide(NodeServices.layer), Effect.orDie)

/** Settings with homes inside a folder, and the real file services. */
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
    Layer.provideMerge(quietAgents),
    Layer.provideMerge(Settings.layerOf(settings)),
    Layer.provideMerge(NodeServices.layer)
  )
}
