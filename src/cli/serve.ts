import { homedir } from "node:os"
import { fileURLToPath } from "node:url"
import { NodeRuntime } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { Main } from "../layers/Main.ts"
import { decodeSettings } from "../services/settings/decodeSettings.ts"
import { Settings } from "../services/settings/Settings.ts"

/** Runs the console until a signal ends it. */
export const serve = () => {
  const program = Effect.gen(function* () {
    const settings = yield* Effect.fromResult(
      decodeSettings(process.env, {
        homeDir: homedir(),
        installDir: process.cwd(),
        webRoot: fileURLToPath(new URL("./web", import.meta.url))
      })
    )
    return yield* Layer.launch(Main.pipe(Layer.provide(Settings.layerOf(settings))))
  })
  NodeRuntime.runMain(program)
}
