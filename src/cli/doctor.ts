import { resolve } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { Console, Effect, FileSystem, Layer, Option, References } from "effect"
import { FetchHttpClient } from "effect/http"
import { homeDir, loadDiscoveredSettingsOf } from "../layers/Config.ts"
import { Foundations } from "../layers/Main.ts"
import { GatewayClient } from "../services/gateway/client/GatewayClient.ts"
import { Doctor } from "../services/machine/doctor/Doctor.ts"
import type { DoctorCheck } from "../services/machine/doctor/doctorCheck.ts"
import { prepareHome } from "../services/platform/settings/prepareHome.ts"
import { Settings, type SettingsShape } from "../services/platform/settings/Settings.ts"
import { MISSING_TOKEN } from "../services/platform/settings/startRules.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { loadDiscoveredCommandSettings, sayWhatIsNotRead } from "./commandSettings.ts"
import { doctorTable } from "./doctorTable.ts"
import { exitCodes } from "./exitCodes.ts"

/** The doctor with its own gateway connection, so the console doesn't have to be running. */
const DoctorAlone = Doctor.layer.pipe(
  Layer.provide(GatewayClient.layer),
  Layer.provide(Foundations),
  Layer.provide(FetchHttpClient.layer),
  Layer.provide(NodeServices.layer)
)

export const examine = (settings: SettingsShape) =>
  Effect.gen(function* () {
    yield* prepareHome(settings.svcHome, homeDir)
    return yield* Effect.flatMap(Doctor, (doctor) => doctor.examine).pipe(
      Effect.provide(DoctorAlone.pipe(Layer.provide(Settings.layerOf(settings))))
    )
  }).pipe(
    // The table already says what's wrong.
    Effect.provideService(References.MinimumLogLevel, "None"),
    Effect.catchTags({
      HomeError: ({ message }) => new CommandFailure({ message, exitCode: exitCodes.home }),
      DeviceIdentityError: ({ message }) => new CommandFailure({ message, exitCode: exitCodes.home })
    })
  )

/** Whether the output can show colours. */
export const hasColour = (): boolean => process.stdout.isTTY === true && process.env.NO_COLOR === undefined

const hasProblem = (checks: ReadonlyArray<DoctorCheck>) => checks.some(({ state }) => state === "problem")

/** The settings of the console in a folder that the person named; nobody named the current one. */
const settingsOf = Effect.fnUntraced(function* (folder: Option.Option<string>) {
  if (Option.isNone(folder)) {
    yield* sayWhatIsNotRead("`agent-console doctor .` checks a console that is started here")
    return yield* loadDiscoveredCommandSettings
  }
  const path = resolve(folder.value)
  if (yield* Effect.orElseSucceed((yield* FileSystem.FileSystem).exists(path), () => false)) {
    return yield* loadDiscoveredSettingsOf(path)
  }
  return yield* new CommandFailure({ message: `there's no folder ${folder.value}`, exitCode: exitCodes.usage })
})

/** `agent-console doctor`: one table; exits with 8 if something doesn't work. */
export const doctor = Effect.fn("doctor")(
  function* ({ folder, json }: { readonly folder: Option.Option<string>; readonly json: boolean }) {
    const { settings, problem } = yield* settingsOf(folder)
    // The table reports a missing token. Only one that exists but can't be read needs more explanation.
    if (problem !== undefined && problem !== MISSING_TOKEN) yield* Console.error(`agent-console: ${problem}`)
    const checks = yield* examine(settings)
    yield* Console.log(json ? JSON.stringify({ checks }, null, 2) : doctorTable(checks, hasColour()))
    if (hasProblem(checks)) return yield* new CommandFailure({ message: "", exitCode: exitCodes.unwell })
  },
  Effect.catchTags({
    SettingsError: ({ message }) => new CommandFailure({ message, exitCode: exitCodes.settings })
  })
)
