import { NodeServices } from "@effect/platform-node"
import { Console, Effect, Layer, Option, References } from "effect"
import { FetchHttpClient } from "effect/http"
import { homeDir, loadDiscoveredSettingsOf, loadSettingsOf } from "../layers/Config.ts"
import { Foundations } from "../layers/Main.ts"
import { SqliteBeside } from "../layers/Sqlite.ts"
import { AgentTokens } from "../services/access/agents/AgentTokens.ts"
import { GatewayAgents } from "../services/access/agents/GatewayAgents.ts"
import { GatewayClient } from "../services/gateway/client/GatewayClient.ts"
import { letGatewayAgents } from "../services/machine/setup/letGatewayAgents.ts"
import { Questions } from "../services/machine/setup/Questions.ts"
import { assumptionProblem, Setup } from "../services/machine/setup/Setup.ts"
import { prepareHome } from "../services/platform/settings/consoleHome.ts"
import { Settings, type SettingsShape } from "../services/platform/settings/Settings.ts"
import { FOREIGN_GATEWAY } from "../services/platform/settings/startRules.ts"
import { askHidden, askLine, askYesNo, canAsk } from "./ask.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { examine, hasColour } from "./doctor.ts"
import { doctorTable } from "./doctorTable.ts"
import { exitCodes } from "./exitCodes.ts"
import { refuse } from "./withDatabase.ts"

const onTerminal = Layer.succeed(Questions, {
  say: (line) => Console.error(line),
  line: (question, byDefault) =>
    Effect.map(askLine(`${question} [${byDefault}]`), (answer) => (answer === "" ? byDefault : answer)),
  hidden: askHidden,
  yesNo: (question, byDefault) => askYesNo(`${question}?`, byDefault)
})

const NEXT = [
  "",
  "Start it:            agent-console",
  "Keep it running:     agent-console service install",
  "Check it any time:   agent-console doctor ."
]

interface SetupFlags {
  readonly yes: boolean
  readonly gatewayAgents: Option.Option<"on" | "off">
}

/** What gives the gateway's agents the board, without a running console. */
const AgentsAlone = GatewayAgents.layer.pipe(
  Layer.provide([AgentTokens.layer.pipe(Layer.provide(SqliteBeside)), GatewayClient.layer]),
  Layer.provideMerge(Foundations),
  Layer.provide(FetchHttpClient.layer),
  Layer.provide(NodeServices.layer)
)

const askAboutAgents = (settings: SettingsShape, wanted: boolean | undefined) =>
  prepareHome(settings.svcHome, homeDir).pipe(
    Effect.andThen(letGatewayAgents(settings, wanted)),
    Effect.provide([AgentsAlone.pipe(Layer.provide(Settings.layerOf(settings))), onTerminal]),
    Effect.provideService(References.MinimumLogLevel, "None"),
    Effect.catchTags({
      HomeError: ({ message }) => new CommandFailure({ message, exitCode: exitCodes.home }),
      DeviceIdentityError: ({ message }) => new CommandFailure({ message, exitCode: exitCodes.home }),
      StoreError: ({ message }) => refuse(message)
    })
  )

/** `agent-console setup`: creates a working `.env`, then runs the checks. */
export const setup = Effect.fn("setup")(
  function* ({ gatewayAgents, yes }: SetupFlags) {
    const here = process.cwd()
    const { settings, problem: notFound } = yield* loadDiscoveredSettingsOf(here)
    const plain = yield* loadSettingsOf(here)
    const known = { settings, isTokenFound: plain.gatewayToken === undefined && settings.gatewayToken !== undefined }
    if (!yes && !canAsk()) {
      return yield* new CommandFailure({
        message: "there's no terminal to ask questions on: pass --yes to use what's found on this machine",
        exitCode: exitCodes.usage
      })
    }
    const problem = yes ? assumptionProblem(known) : undefined
    if (problem !== undefined) {
      const message = notFound === FOREIGN_GATEWAY ? notFound : problem
      return yield* new CommandFailure({ message, exitCode: exitCodes.settings })
    }
    const isWritten = yield* Effect.gen(function* () {
      const service = yield* Setup
      const variables = yes ? service.assume(known) : yield* service.ask(known)
      return yield* service.write(settings.installDir, variables)
    }).pipe(
      Effect.provide(
        Setup.layer.pipe(Layer.provide([onTerminal, FetchHttpClient.layer]), Layer.provide(NodeServices.layer))
      )
    )
    yield* Console.log(isWritten ? "Settings written to .env in this folder.\n" : ".env is already up to date.\n")
    const after = yield* loadDiscoveredSettingsOf(here)
    const wanted = Option.getOrUndefined(Option.map(gatewayAgents, (word) => word === "on"))
    if (!yes || wanted !== undefined) yield* askAboutAgents(after.settings, wanted)
    const checks = yield* examine(after.settings)
    yield* Console.log([doctorTable(checks, hasColour()), ...NEXT].join("\n"))
  },
  Effect.catchTags({
    SettingsError: ({ message }) => new CommandFailure({ message, exitCode: exitCodes.settings }),
    SetupRefused: ({ message }) => new CommandFailure({ message, exitCode: exitCodes.settings })
  })
)
