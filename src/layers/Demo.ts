import { NodeServices } from "@effect/platform-node"
import { Config, Effect, Layer } from "effect"
import { Board } from "../services/board/Board.ts"
import { prepareDemoHome } from "../services/embedded-gateway/demo/prepareDemoHome.ts"
import { seedBoard } from "../services/embedded-gateway/demo/seedBoard.ts"
import { EmbeddedGateway } from "../services/embedded-gateway/EmbeddedGateway.ts"
import { Settings } from "../services/settings/Settings.ts"
import { Foundations, Main } from "./Main.ts"
import { SqliteLive } from "./Sqlite.ts"

/** The given settings with the embedded gateway in place of a real one; prepares the demonstration's own folder. */
export const DemoSettings = Layer.effect(
  Settings,
  Effect.gen(function* () {
    const settings = yield* Settings
    const gateway = yield* EmbeddedGateway
    yield* prepareDemoHome(settings)
    return { ...settings, gatewayUrl: gateway.url, gatewayToken: gateway.token }
  })
).pipe(Layer.provide(NodeServices.layer))

/** `npm run demo` asks for sample cards; a demonstration started otherwise begins with an empty board. */
const SamplesWanted = Config.Boolean("DEMO_SAMPLES").pipe(Config.withDefault(false))

/** Fills the board before anybody looks; it is the very board of `Main`, as layers are built once. */
const Samples = Layer.effectDiscard(
  Effect.gen(function* () {
    if (yield* SamplesWanted) yield* seedBoard()
  }).pipe(Effect.catch((error) => Effect.logWarning("The demonstration has no sample cards", error)))
).pipe(Layer.provide(Board.layer.pipe(Layer.provideMerge(SqliteLive))), Layer.provide(Foundations))

/** The production graph with an embedded gateway; needs only Settings, made from `demoVariables`. */
export const Demo = Main.pipe(
  Layer.merge(Samples),
  Layer.provide(DemoSettings),
  Layer.provide(EmbeddedGateway.layer({ record: false }))
)
