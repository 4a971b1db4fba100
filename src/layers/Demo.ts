import { NodeServices } from "@effect/platform-node"
import { Config, Context, Effect, Layer, Path, Redacted } from "effect"
import { DEMO_AGENTS } from "../../practice-gateway/src/demo/demoFiles.ts"
import { prepareDemoHome } from "../../practice-gateway/src/demo/prepareDemoHome.ts"
import { seedBoard } from "../../practice-gateway/src/demo/seedBoard.ts"
import { seedBudget } from "../../practice-gateway/src/demo/seedBudget.ts"
import { seedFamily } from "../../practice-gateway/src/demo/seedFamily.ts"
import { seedRoutines } from "../../practice-gateway/src/demo/seedRoutines.ts"
import { EmbeddedGateway } from "../../practice-gateway/src/EmbeddedGateway.ts"
import { Routines } from "../services/board/routines/Routines.ts"
import { Templates } from "../services/board/templates/Templates.ts"
import { gatewaysFile } from "../services/gateway/registry/gatewayEntry.ts"
import { Settings } from "../services/platform/settings/Settings.ts"
import { PathLocks } from "../services/platform/storage/PathLocks.ts"
import { BoardStored, Foundations, Main } from "./Main.ts"
import { SqliteLive } from "./Sqlite.ts"

/** The given settings with the embedded gateway instead of a real one; prepares the demo's own folder. */
export const DemoSettings = Layer.effect(
  Settings,
  Effect.gen(function* () {
    const settings = yield* Settings
    const gateway = yield* EmbeddedGateway
    yield* prepareDemoHome(settings)
    return { ...settings, isDemo: true, gatewayUrl: gateway.url, gatewayToken: gateway.token }
  })
).pipe(Layer.provide(NodeServices.layer))

const SECOND = { id: "workshop", name: "Workshop" } as const

/** Sample cards, a question and a permission request; tests begin with an empty board and inbox. */
const SamplesWanted = Config.Boolean("DEMO_SAMPLES").pipe(Config.withDefault(true))

/** Fills the board before anyone sees it and before its runs are looked at; it's the same board as in `Main`. */
const Samples = Layer.effectDiscard(
  Effect.gen(function* () {
    const { control } = yield* EmbeddedGateway
    if (!(yield* SamplesWanted)) return
    const spent = yield* seedBoard()
    yield* control.spend(spent)
    // A board in use stays as it is.
    if (spent.length === 0) return
    yield* seedBudget()
    yield* seedFamily()
    yield* seedRoutines()
  }).pipe(Effect.catch((error) => Effect.logWarning("Couldn't add the demo's sample cards", error)))
).pipe(
  Layer.provide([Routines.layer, Templates.layer]),
  Layer.provide(BoardStored.pipe(Layer.provideMerge(SqliteLive))),
  Layer.provide(Foundations)
)

/** A second gateway among the added ones; an earlier demo's is replaced or goes. */
const secondGateway = (isWanted: boolean) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { svcHome } = yield* Settings
      const paths = yield* Path.Path
      const file = yield* gatewaysFile(svcHome, paths)
      const others = (yield* file.read).filter(({ id }) => id !== SECOND.id)
      if (!isWanted) {
        if (others.length < (yield* file.read).length) yield* file.update(() => others)
        return
      }
      const built = yield* Layer.build(EmbeddedGateway.layer({ record: false }))
      const { token, url } = Context.get(built, EmbeddedGateway)
      yield* file.update(() => [...others, { ...SECOND, url, token: Redacted.value(token) }])
    }).pipe(Effect.catch((error) => Effect.logWarning("Couldn't add the demo's second gateway", error)))
  ).pipe(Layer.provide(PathLocks.layer), Layer.provide(NodeServices.layer))

/** The production graph with one or two embedded gateways; needs only Settings built from `demoVariables`. */
export const demoWith = (gateways: number) =>
  Main.pipe(
    Layer.provide(Samples),
    Layer.provide(secondGateway(gateways > 1)),
    Layer.provide(DemoSettings),
    Layer.provide(
      Layer.unwrap(
        Effect.gen(function* () {
          const { gatewayHome } = yield* Settings
          const asks = yield* SamplesWanted
          return EmbeddedGateway.layer({ record: false, home: gatewayHome, agents: DEMO_AGENTS, asks })
        })
      )
    )
  )
