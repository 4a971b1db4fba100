import { homedir, userInfo } from "node:os"
import { join, sep } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { Console, Effect, Layer, Option } from "effect"
import { loadSettingsOf } from "../layers/Config.ts"
import type { ServiceDefinition } from "../services/machine/service-manager/ServiceDefinition.ts"
import { type Manager, ServiceInstaller } from "../services/machine/service-manager/ServiceInstaller.ts"
import type { ServiceRefused } from "../services/machine/service-manager/ServiceManager.ts"
import { Commands } from "../services/machine/update/Commands.ts"
import { Processes } from "../services/machine/update/Processes.ts"
import { UpdateTarget } from "../services/machine/update/UpdateTarget.ts"
import type { SettingsError } from "../services/platform/settings/decodeSettings.ts"
import { localAddress } from "../services/platform/settings/localAddress.ts"
import type { SettingsShape } from "../services/platform/settings/Settings.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { loadCommandSettings } from "./commandSettings.ts"
import { exitCodes } from "./exitCodes.ts"
import { packageRoot } from "./packageRoot.ts"
import { ownScreen, updateReport } from "./updateReport.ts"

const NAMES: Readonly<Record<Manager, string>> = {
  "systemd-user": "your user's systemd",
  "systemd-system": "the system's systemd",
  launchd: "launchd"
}

const refuse = (message: string) => new CommandFailure({ message, exitCode: exitCodes.service })

const definitionOf = (settings: SettingsShape, runAs: Option.Option<string>): ServiceDefinition => ({
  node: process.execPath,
  script: join(packageRoot, "dist", "cli.js"),
  directory: settings.installDir,
  logFile: join(settings.svcHome, "console.log"),
  user: Option.getOrElse(runAs, () => process.env.SUDO_USER ?? userInfo().username)
})

/** Runs a subcommand with this machine's service manager. Failures end the program with one sentence. */
const withInstaller = <A, E>(
  settings: SettingsShape,
  use: (installer: ServiceInstaller["Service"], manager: Manager) => Effect.Effect<A, E>
) => {
  const places = {
    homeDir: homedir(),
    configDir: process.env.XDG_CONFIG_HOME ?? join(homedir(), ".config"),
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
  return Effect.gen(function* () {
    const installer = yield* ServiceInstaller
    return yield* use(installer, yield* installer.manager)
  }).pipe(
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
      "this copy of agent-console is in npx's cache, which npm may clear at any time: install it first with `npm install -g agent-console`"
    )
  }
  yield* withInstaller(settings, (installer, manager) =>
    options.print
      ? Console.log(installer.textFor(manager, definition).trimEnd())
      : installer
          .install(manager, definition)
          .pipe(
            Effect.andThen(
              Console.log(
                `The console is running as a service of ${NAMES[manager]} and starts automatically: ${localAddress(settings)}`
              )
            )
          )
  )
}, Effect.catchTags(EXPECTED))

/** `agent-console service uninstall`. */
export const uninstallService = Effect.fn("uninstallService")(function* () {
  const settings = yield* loadCommandSettings
  yield* withInstaller(settings, (installer, manager) =>
    Effect.flatMap(installer.uninstall(manager), (wasThere) =>
      Console.log(
        wasThere
          ? `The service was removed from ${NAMES[manager]}. Your settings, board and other data are still there.`
          : `There was no service to remove from ${NAMES[manager]}.`
      )
    )
  )
}, Effect.catchTags(EXPECTED))

/** `agent-console service status`; exits with 90 if it isn't running. */
export const showService = Effect.fn("showService")(function* () {
  const settings = yield* loadCommandSettings
  const state = yield* withInstaller(settings, (installer, manager) => installer.state(manager))
  if (Option.isNone(state)) {
    return yield* refuse("the service isn't installed: run `agent-console service install`")
  }
  const { manager, words, startsByItself, isRunning } = state.value
  yield* Console.log(
    `${NAMES[manager]}: ${words}; ${startsByItself ? "starts automatically" : "doesn't start automatically"}`
  )
  if (!isRunning) return yield* new CommandFailure({ message: "", exitCode: exitCodes.service })
}, Effect.catchTags(EXPECTED))
