import { accessSync, constants } from "node:fs"
import { userInfo } from "node:os"
import { delimiter, isAbsolute, join, sep } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { Console, Effect, Layer, Option, Result, Schedule } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { loadSettingsOf, settingsSource } from "../layers/Config.ts"
import {
  type LogRange,
  ServiceInstaller,
  type ServiceState
} from "../services/machine/service-manager/ServiceInstaller.ts"
import type { ServiceRefused } from "../services/machine/service-manager/ServiceManager.ts"
import { type Manager, type ServiceDefinition, servicePath } from "../services/machine/service-manager/serviceFiles.ts"
import { Commands } from "../services/machine/update/Commands.ts"
import { Processes } from "../services/machine/update/Processes.ts"
import { UpdateTarget } from "../services/machine/update/UpdateTarget.ts"
import { childCommand } from "../services/platform/process/childCommand.ts"
import { OWN_LOG } from "../services/platform/process/ownLog.ts"
import { homeHolder } from "../services/platform/settings/consoleHome.ts"
import type { SettingsError } from "../services/platform/settings/decodeSettings.ts"
import type { SettingsShape } from "../services/platform/settings/Settings.ts"
import { SETTING_NAMES } from "../services/platform/settings/settingNotes.ts"
import { localAddress } from "../services/platform/settings/startRules.ts"
import { parseDotEnv } from "../services/platform/settings/variables.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { loadCommandSettings, packageRoot, servicePlaces } from "./commandSettings.ts"
import { exitCodes } from "./exitCodes.ts"
import { ownScreen, updateReport } from "./update.ts"

const NAMES: Readonly<Record<Manager, string>> = {
  "systemd-user": "your user's systemd",
  "systemd-system": "the system's systemd",
  launchd: "launchd"
}

/** Settings whose names other programs use too. */
const OF_EVERY_SHELL = new Set(["LANGUAGE", "NODE_ENV", "HOST", "OTEL_EXPORTER_OTLP_ENDPOINT"])

const refuse = (message: string) => new CommandFailure({ message, exitCode: exitCodes.service })

/** Users without a name have no entry among the system's, as in some containers. */
const ownName = (): string =>
  Result.getOrElse(
    Result.try(() => userInfo().username),
    () => String(process.getuid?.() ?? 0)
  )

const definitionOf = (settings: SettingsShape, runAs: Option.Option<string>): ServiceDefinition => ({
  node: process.execPath,
  script: join(packageRoot, "dist", "cli.js"),
  directory: settings.installDir,
  logFile: join(settings.svcHome, OWN_LOG),
  user: Option.getOrElse(runAs, () => process.env.SUDO_USER ?? ownName()),
  path: servicePath(process.env.PATH)
})

/** How long a console that can't start may take to say so. */
const SETTLES_WITHIN = { schedule: Schedule.spaced("500 millis").pipe(Schedule.upTo({ times: 6 })) }

/** Its state once it has run for a while; `done` is what has been done if it stops. */
const settled = Effect.fnUntraced(function* (installer: ServiceInstaller["Service"], manager: Manager, done: string) {
  const state = yield* Effect.repeat(installer.state(manager), {
    ...SETTLES_WITHIN,
    while: (one) => Option.exists(one, ({ isRunning }) => isRunning)
  })
  if (Option.exists(state, ({ isRunning }) => !isRunning)) {
    return yield* refuse(`${done}, but the console stopped at once: \`agent-console service logs\` says why`)
  }
  return state
})

/** Whether it runs at other times, too, in a sentence. */
const whenItRuns = ({ manager, needsSession, startsByItself }: ServiceState): string => {
  if (!startsByItself) return "It doesn't start automatically."
  if (!needsSession) return "It starts automatically."
  return manager === "launchd"
    ? "It starts when you sign in, and stops when you sign out."
    : `It stops when you sign out and doesn't start with the machine: \`sudo loginctl enable-linger ${ownName()}\` lets it run all the time.`
}

/** Variables of this shell that the service won't have. Its file is readable by everybody, so they don't go there. */
const leftBehind = Effect.fnUntraced(function* (directory: string) {
  const source = yield* settingsSource(directory, { isRunning: false })
  const sources = yield* source.now
  const inFile = parseDotEnv(sources?.dotEnv ?? "")
  const names = SETTING_NAMES.filter(
    (name) =>
      !OF_EVERY_SHELL.has(name) && (process.env[name]?.trim() ?? "") !== "" && inFile[name] !== process.env[name]
  )
  if (names.length === 0) return
  yield* Console.error(
    `agent-console: the service doesn't get what only this shell has: ${names.join(", ")}. Set it in .env in this folder and restart the service`
  )
})

const isIn = (path: string, program: string): boolean =>
  (isAbsolute(program) ? [program] : path.split(delimiter).map((folder) => join(folder, program))).some((file) =>
    Result.isSuccess(Result.try(() => accessSync(file, constants.X_OK)))
  )

/** `sudo` has a PATH of its own, without the folders of the user whose programs the console runs. */
const lostToSudo = Effect.fnUntraced(function* (settings: SettingsShape, path: string | undefined) {
  if (process.env.SUDO_USER === undefined) return
  const names = [settings.gatewayCli, "git", settings.ffmpegCommand].filter((name) => !isIn(path ?? "", name))
  if (names.length === 0) return
  yield* Console.error(
    `agent-console: with the PATH of sudo, the service won't find ${names.join(", ")}. To give it yours: \`sudo env "PATH=$PATH" agent-console service install\``
  )
})

/** Runs a subcommand with this machine's service manager. Failures end the program with one sentence. */
const withInstaller = <A, E, R>(
  settings: SettingsShape,
  use: (installer: ServiceInstaller["Service"]) => Effect.Effect<A, E, R>
) => {
  const places = {
    ...servicePlaces(),
    userId: process.getuid?.() ?? 0,
    platform: process.platform
  }
  const target = {
    directory: settings.installDir,
    svcHome: settings.svcHome,
    address: localAddress(settings),
    path: process.env.PATH,
    releasesUrl: undefined,
    allowedSigners: undefined
  }
  return Effect.flatMap(ServiceInstaller, use).pipe(
    Effect.provide(
      ServiceInstaller.layer(places).pipe(
        Layer.provide(Commands.layer),
        Layer.provide(Processes.layer),
        Layer.provide([Layer.succeed(UpdateTarget, target), updateReport(ownScreen(), false)]),
        Layer.provide(NodeServices.layer)
      )
    )
  )
}

const EXPECTED = {
  SettingsError: ({ message }: SettingsError) => new CommandFailure({ message, exitCode: exitCodes.settings }),
  ServiceRefused: ({ message }: ServiceRefused) => refuse(message)
}

/** `agent-console service install`: makes the current folder the one that the console starts in, with its settings. */
export const installService = Effect.fn("installService")(function* (options: {
  readonly print: boolean
  readonly runAs: Option.Option<string>
}) {
  const settings = yield* loadSettingsOf(process.cwd())
  const definition = definitionOf(settings, options.runAs)
  if (packageRoot.split(sep).includes("_npx")) {
    return yield* refuse(
      "this copy of agent-console is in npx's cache, which npm may clear at any time: run it from a checkout, or install a packed file with `npm install -g <file>`"
    )
  }
  yield* leftBehind(settings.installDir)
  yield* lostToSudo(settings, definition.path)
  yield* withInstaller(settings, (installer) =>
    Effect.gen(function* () {
      const manager = yield* installer.manager
      if (options.print) return yield* Console.log(installer.textFor(manager, definition).trimEnd())
      const before = yield* installer.state(manager)
      const holder = Option.exists(before, ({ isRunning }) => isRunning)
        ? undefined
        : yield* homeHolder(settings.svcHome)
      if (holder !== undefined) {
        return yield* refuse(`${holder} is running with the folder that the service would have: stop it first`)
      }
      yield* installer.install(manager, definition)
      const state = yield* settled(installer, manager, "the service is installed")
      const when = Option.match(state, { onNone: () => "", onSome: (one) => ` ${whenItRuns(one)}` })
      yield* Console.log(`The console is running as a service of ${NAMES[manager]}: ${localAddress(settings)}.${when}`)
    })
  )
}, Effect.catchTags(EXPECTED))

/** `agent-console service uninstall`. */
export const uninstallService = Effect.fn("uninstallService")(function* () {
  const settings = yield* loadCommandSettings
  yield* withInstaller(settings, (installer) =>
    Effect.gen(function* () {
      const manager = yield* installer.manager
      const isRemoved = yield* installer.uninstall(manager)
      if (!isRemoved && Option.isSome(yield* installer.installed)) {
        return yield* refuse("the service is the whole machine's: `sudo agent-console service uninstall` removes it")
      }
      yield* Console.log(
        isRemoved
          ? `The service was removed from ${NAMES[manager]}. Your settings, board and other data are still there.`
          : `There was no service to remove from ${NAMES[manager]}.`
      )
    })
  )
}, Effect.catchTags(EXPECTED))

/** The installed service, which isn't always that of this user. */
const theService = Effect.fnUntraced(function* (installer: ServiceInstaller["Service"]) {
  const state = yield* installer.installed
  if (Option.isSome(state)) return state.value
  return yield* refuse("the service isn't installed: run `agent-console service install`")
})

/** `agent-console service status`; exits with 90 if it isn't running. */
export const showService = Effect.fn("showService")(function* () {
  const settings = yield* loadCommandSettings
  const state = yield* withInstaller(settings, theService)
  const { manager, words, isRunning } = state
  yield* Console.log(`${NAMES[manager]}: ${words}. ${whenItRuns(state)}`)
  if (!isRunning) return yield* new CommandFailure({ message: "", exitCode: exitCodes.service })
}, Effect.catchTags(EXPECTED))

/** `agent-console service restart`: with the settings in `.env` as they are now. */
export const restartService = Effect.fn("restartService")(function* () {
  const settings = yield* loadCommandSettings
  yield* withInstaller(settings, (installer) =>
    Effect.gen(function* () {
      const { manager } = yield* theService(installer)
      yield* installer.restart(manager)
      const state = yield* settled(installer, manager, "the service was restarted")
      const words = Option.match(state, { onNone: () => "", onSome: (one) => `: ${one.words}` })
      yield* Console.log(`The service was restarted by ${NAMES[manager]}${words}.`)
    })
  )
}, Effect.catchTags(EXPECTED))

/** `agent-console service logs`: the end of what the console wrote, as the manager kept it. */
export const showLogs = Effect.fn("showLogs")(function* (range: LogRange) {
  const settings = yield* loadCommandSettings
  const { args, program } = yield* withInstaller(settings, (installer) =>
    Effect.flatMap(theService(installer), ({ manager }) => installer.logs(manager, range))
  )
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const command = yield* childCommand(program, args, {
    needs: ["session"],
    // For colours.
    set: { TERM: process.env.TERM },
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit"
  })
  const code = yield* spawner
    .exitCode(command)
    .pipe(
      Effect.catchTag("PlatformError", () =>
        refuse(`couldn't run ${program}, which has the log: check that it's installed`)
      )
    )
  if (code !== 0) return yield* refuse(`couldn't read the log: ${program} ended with ${code}`)
}, Effect.catchTags(EXPECTED))
