import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { prepareDemoHome } from "../services/embedded-gateway/demo/prepareDemoHome.ts"
import { EmbeddedGateway } from "../services/embedded-gateway/EmbeddedGateway.ts"
import { Settings } from "../services/settings/Settings.ts"
import { Main } from "./Main.ts"

/** The given settings with the embedded gateway in place of a real one; prepares the demonstration's own folder. */
export const DemoSettings = Layer.effect(
  Settings,
  Effect.gen(function* () {
    const settings = yield* Settings
    const gateway = yield* EmbeddedGateway
    yield* prepareDemoHome(settings.gatewayHome)
    return { ...settings, gatewayUrl: gateway.url, gatewayToken: gateway.token }
  })
).pipe(Layer.provide(NodeServices.layer))

/** The production graph with an embedded gateway; needs only Settings, made from `demoVariables`. */
export const Demo = Main.pipe(Layer.provide(DemoSettings), Layer.provide(EmbeddedGateway.layer({ record: false })))
