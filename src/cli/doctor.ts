import { NodeServices } from "@effect/platform-node"
import { Console, Effect, Layer, References } from "effect"
import { FetchHttpClient } from "effect/http"
import { homeDir, loadDiscoveredSettings } from "../layers/Config.ts"
import { Foundations } from "../layers/Main.ts"
import { Doctor } from "../services/doctor/Doctor.ts"
import type { DoctorCheck } from "../services/doctor/doctorCheck.ts"
import { GatewayClient } from "../services/gateway/GatewayClient.ts"
import { prepareHome } from "../services/settings/prepareHome.ts"
import { Settings, type SettingsShape } from "../services/settings/Settings.ts"
import { MISSING_TOKEN } from "../services/settings/startRules.ts"
import { doctorTable } from "./doctorTable.ts"
import { exitCodes } from "./exitCodes.ts"
import { Stop } from "./Stop.ts"

/** The doctor for a console that need not run: with a connection to the gateway of its own. */
const DoctorAlone = Doctor.layer.pipe(
  Layer.provide(GatewayClient.layer),
  Layer.provide(Foundations),
  Layer.provide(FetchHttpClient.layer),
  Layer.provide(NodeServices.layer)
)

/** Examines a machine with these settings. */
export const examine = (settings: SettingsShape) =>
  Effect.gen(function* () {
    yield* prepareHome(settings.svcHome, homeDir)
    return yield* Effect.flatMap(Doctor, (doctor) => doctor.examine).pipe(
      Effect.provide(DoctorAlone.pipe(Layer.provide(Settings.layerOf(settings))))
    )
  }).pipe(
    // The table says it all.
    Effect.provideService(References.MinimumLogLevel, "None"),
    Effect.catchTags({
      HomeError: ({ message }) => new Stop({ message, exitCode: exitCodes.home }),
      DeviceIdentityError: ({ message }) => new Stop({ message, exitCode: exitCodes.home })
    })
  )

/** Whether colours say anything where the output goes. */
export const hasColour = (): boolean => process.stdout.isTTY === true && process.env.NO_COLOR === undefined

const hasProblem = (checks: ReadonlyArray<DoctorCheck>) => checks.some(({ state }) => state === "problem")

/** `agent-console doctor`: one table; ends with 8 when something does not work. */
export const doctor = Effect.fn("doctor")(
  function* ({ json }: { readonly json: boolean }) {
    const { settings, problem } = yield* loadDiscoveredSettings
    // The table says that there is none; only a token that is there and cannot be read needs more words.
    if (problem !== undefined && problem !== MISSING_TOKEN) yield* Console.error(`agent-console: ${problem}`)
    const checks = yield* examine(settings)
    yield* Console.log(json ? JSON.stringify({ checks }, null, 2) : doctorTable(checks, hasColour()))
    if (hasProblem(checks)) return yield* new Stop({ message: "", exitCode: exitCodes.unwell })
  },
  Effect.catchTags({
    SettingsError: ({ message }) => new Stop({ message, exitCode: exitCodes.settings })
  })
)
