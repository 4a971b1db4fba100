import { NodeServices } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { loadDiscoveredSettings, loadPlainSettings } from "../layers/Config.ts"
import { Questions } from "../services/setup/Questions.ts"
import { assumptionProblem, Setup } from "../services/setup/Setup.ts"
import { askLine, askYesNo, canAsk } from "./ask.ts"
import { examine, hasColour } from "./doctor.ts"
import { doctorTable } from "./doctorTable.ts"
import { exitCodes } from "./exitCodes.ts"
import { readHiddenLine } from "./readSecret.ts"
import { Stop } from "./Stop.ts"

const onTerminal = Layer.succeed(Questions, {
  say: (line) => Console.error(line),
  line: (question, byDefault) =>
    Effect.map(askLine(`${question} [${byDefault}]: `), (answer) => (answer === "" ? byDefault : answer)),
  // Ctrl-C while nothing is shown is Ctrl-C.
  hidden: (question) => Effect.catch(readHiddenLine(question), () => Effect.interrupt),
  yesNo: (question, byDefault) => askYesNo(`${question}?`, byDefault)
})

const NEXT = [
  "",
  "Start it:            agent-console",
  "Keep it running:     agent-console service install",
  "Look again any time: agent-console doctor"
]

/** `agent-console setup`: from nothing to a `.env` that works, ending with a look at everything. */
export const setup = Effect.fn("setup")(
  function* ({ yes }: { readonly yes: boolean }) {
    const { settings } = yield* loadDiscoveredSettings
    const plain = yield* loadPlainSettings
    const known = { settings, isTokenFound: plain.gatewayToken === undefined && settings.gatewayToken !== undefined }
    if (!yes && !canAsk()) {
      return yield* new Stop({
        message: "there is no terminal to ask on: pass --yes to take what can be found",
        exitCode: exitCodes.usage
      })
    }
    const problem = yes ? assumptionProblem(known) : undefined
    if (problem !== undefined) return yield* new Stop({ message: problem, exitCode: exitCodes.settings })
    const isWritten = yield* Effect.gen(function* () {
      const service = yield* Setup
      const variables = yes ? service.assume(known) : yield* service.ask(known)
      return yield* service.write(settings.installDir, variables)
    }).pipe(
      Effect.provide(
        Setup.layer.pipe(Layer.provide([onTerminal, FetchHttpClient.layer]), Layer.provide(NodeServices.layer))
      )
    )
    yield* Console.log(
      isWritten ? "The settings are in .env in this folder.\n" : "The settings in .env are as they should be.\n"
    )
    const after = yield* loadDiscoveredSettings
    const checks = yield* examine(after.settings)
    yield* Console.log([doctorTable(checks, hasColour()), ...NEXT].join("\n"))
  },
  Effect.catchTags({
    SettingsError: ({ message }) => new Stop({ message, exitCode: exitCodes.settings }),
    SetupRefused: ({ message }) => new Stop({ message, exitCode: exitCodes.settings })
  })
)
