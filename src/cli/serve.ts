import { homedir } from "node:os"
import { fileURLToPath } from "node:url"
import { Effect, Layer } from "effect"
import { Demo } from "../layers/Demo.ts"
import { Main } from "../layers/Main.ts"
import { demoVariables } from "../services/embedded-gateway/demo/demoVariables.ts"
import { decodeSettings } from "../services/settings/decodeSettings.ts"
import { Settings } from "../services/settings/Settings.ts"
import { exitCodes } from "./exitCodes.ts"
import { Stop } from "./Stop.ts"

/** Runs the console until a signal ends it. */
export const serve = Effect.fn("serve")(function* ({ demo }: { readonly demo: boolean }) {
  const settings = yield* Effect.fromResult(
    decodeSettings(demo ? demoVariables(process.env) : process.env, {
      homeDir: homedir(),
      installDir: process.cwd(),
      webRoot: fileURLToPath(new URL("../web", import.meta.url))
    })
  ).pipe(Effect.mapError((error) => new Stop({ message: error.message, exitCode: exitCodes.settings })))
  return yield* Layer.launch((demo ? Demo : Main).pipe(Layer.provide(Settings.layerOf(settings))))
})
