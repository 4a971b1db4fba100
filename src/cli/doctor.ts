import { resolve } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { Console, Effect, FileSystem, Layer, Option, References, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import { DoctorCheck } from "../contract/schema/machine.ts"
import { homeDir, loadDiscoveredSettingsOf, settingsSource } from "../layers/Config.ts"
import { Foundations } from "../layers/Main.ts"
import { type Access, readAccess } from "../services/access/local/readAccess.ts"
import { GatewayClient } from "../services/gateway/client/GatewayClient.ts"
import { Doctor } from "../services/machine/doctor/Doctor.ts"
import { servicePathOf } from "../services/machine/service-manager/definedIn.ts"
import { prepareHome } from "../services/platform/settings/consoleHome.ts"
import { Settings, type SettingsShape } from "../services/platform/settings/Settings.ts"
import { MISSING_TOKEN } from "../services/platform/settings/startRules.ts"
import { SettingsSource, type Variables } from "../services/platform/settings/variables.ts"
import { askConsole } from "./askConsole.ts"
import { CommandFailure } from "./CommandFailure.ts"
import {
  environmentFromHere,
  loadDiscoveredCommandSettings,
  sayWhatIsNotRead,
  servicePlaces
} from "./commandSettings.ts"
import { doctorTable } from "./doctorTable.ts"
import { exitCodes } from "./exitCodes.ts"

/** The doctor with its own gateway connection, so the console doesn't have to be running. */
const DoctorAlone = Doctor.layer.pipe(
  Layer.provide(GatewayClient.layer),
  Layer.provide(Foundations),
  Layer.provide(FetchHttpClient.layer),
  Layer.provide(NodeServices.layer)
)

/** Examines what a console with these settings would need; for when none is running. */
export const examine = (settings: SettingsShape, environment?: Variables) =>
  Effect.gen(function* () {
    yield* prepareHome(settings.svcHome, homeDir)
    const source = yield* settingsSource(settings.installDir, { isRunning: false, environment })
    return yield* Effect.flatMap(Doctor, (doctor) => doctor.examine).pipe(
      Effect.provide(
        DoctorAlone.pipe(
          Layer.provide(Settings.layerOf(settings)),
          Layer.provide(Layer.succeed(SettingsSource, source))
        )
      )
    )
  }).pipe(
    // The table already says what's wrong.
    Effect.provideService(References.MinimumLogLevel, "None"),
    Effect.catchTags({
      HomeError: ({ message }) => new CommandFailure({ message, exitCode: exitCodes.home }),
      DeviceIdentityError: ({ message }) => new CommandFailure({ message, exitCode: exitCodes.home })
    })
  )

const Checks = Schema.Struct({ checks: Schema.Array(DoctorCheck) })

/** What the console that runs with this folder finds; nothing if there is none. */
const askRunning = Effect.fnUntraced(function* (svcHome: string) {
  const access = yield* readAccess(svcHome).pipe(
    Effect.asSome,
    Effect.catchTags({
      NoAccess: () => Effect.succeedNone,
      AccessRefused: ({ message }) => Effect.as(Console.error(`agent-console: ${message}`), Option.none<Access>())
    })
  )
  if (Option.isNone(access)) return Option.none()
  return yield* askConsole(svcHome, {
    method: "GET",
    path: "/api/doctor",
    answer: Checks,
    what: "check itself",
    exitCode: exitCodes.unwell
  }).pipe(
    Effect.map(({ checks }) => Option.some({ checks, pid: access.value.pid })),
    Effect.catchIf(
      ({ exitCode }) => exitCode === exitCodes.noConsole,
      () => Effect.succeedNone
    )
  )
}, Effect.provide(FetchHttpClient.layer))

/** Whether the output can show colours. */
export const hasColour = (): boolean => process.stdout.isTTY === true && process.env.NO_COLOR === undefined

const hasProblem = (checks: ReadonlyArray<DoctorCheck>) => checks.some(({ state }) => state === "problem")

const show = Effect.fnUntraced(function* (checks: ReadonlyArray<DoctorCheck>, json: boolean) {
  yield* Console.log(json ? JSON.stringify({ checks }, null, 2) : doctorTable(checks, hasColour()))
  if (hasProblem(checks)) return yield* new CommandFailure({ message: "", exitCode: exitCodes.unwell })
})

/** The settings of the console in the folder given by the user, never the current one by default. */
const settingsOf = Effect.fnUntraced(function* (folder: Option.Option<string>) {
  if (Option.isNone(folder)) {
    yield* sayWhatIsNotRead("`agent-console doctor .` checks a console that is started here")
    return { ...(yield* loadDiscoveredCommandSettings), environment: environmentFromHere() }
  }
  const path = resolve(folder.value)
  if (yield* Effect.orElseSucceed((yield* FileSystem.FileSystem).exists(path), () => false)) {
    return { ...(yield* loadDiscoveredSettingsOf(path)), environment: process.env }
  }
  return yield* new CommandFailure({ message: `there's no folder ${folder.value}`, exitCode: exitCodes.usage })
})

/**
 * `agent-console doctor`: one table; exits with 8 if something doesn't work. A running console is asked, because only it
 * sees what it sees: it may have other variables, rights and settings than this command.
 */
export const doctor = Effect.fn("doctor")(
  function* ({ folder, json }: { readonly folder: Option.Option<string>; readonly json: boolean }) {
    const { settings, problem, environment } = yield* settingsOf(folder)
    const running = yield* askRunning(settings.svcHome)
    if (Option.isSome(running)) {
      const { checks, pid } = running.value
      const who = pid === undefined ? "The running console" : `The running console (process ${pid})`
      if (!json) yield* Console.log(`${who} says:\n`)
      return yield* show(checks, json)
    }
    // A stopped service is examined with the PATH that it'll have, or it'd find other programs once it runs.
    const path = yield* servicePathOf(settings.installDir, servicePlaces())
    if (path !== undefined) process.env.PATH = path
    // The table reports a missing token. Only one that exists but can't be read needs more explanation.
    if (problem !== undefined && problem !== MISSING_TOKEN) yield* Console.error(`agent-console: ${problem}`)
    yield* show(yield* examine(settings, environment), json)
  },
  Effect.catchTags({
    SettingsError: ({ message }) => new CommandFailure({ message, exitCode: exitCodes.settings })
  })
)
