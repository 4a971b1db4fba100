import { homedir, userInfo } from "node:os"
import { join, sep } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { Console, Effect, Layer, Option } from "effect"
import { loadPlainSettings } from "../layers/Config.ts"
import type { ServiceDefinition } from "../services/service-manager/ServiceDefinition.ts"
import { type Manager, ServiceInstaller } from "../services/service-manager/ServiceInstaller.ts"
import type { ServiceRefused } from "../services/service-manager/ServiceManager.ts"
import type { SettingsError } from "../services/settings/decodeSettings.ts"
import { localAddress } from "../services/settings/localAddress.ts"
import type { SettingsShape } from "../services/settings/Settings.ts"
import { Commands } from "../services/update/Commands.ts"
import { Processes } from "../services/update/Processes.ts"
import { UpdateTarget } from "../services/update/UpdateTarget.ts"
import { exitCodes } from "./exitCodes.ts"
import { packageRoot } from "./packageRoot.ts"
import { Stop } from "./Stop.ts"
import { ownScreen, updateReport } from "./updateReport.ts"

const NAMES: Readonly<Record<Manager, string>> = {
  "systemd-user": "systemd of this user",
  "systemd-system": "systemd of the system",
  launchd: "launchd"
}

const refuse = (message: string) => new Stop({ message, exitCode: exitCodes.service })

const definitionOf = (settings: SettingsShape, runAs: Option.Option<string>): ServiceDefinition => ({
  node: process.execPath,
  script: join(packageRoot, "dist", "cli.js"),
  directory: settings.installDir,
  logFile: join(settings.svcHome, "console.log"),
  user: Option.getOrElse(runAs, () => process.env.SUDO_USER ?? userInfo().username)
})

/** Runs what a subcommand does with the manager of this machine; failures end the program with one sentence. */
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
    releasesUrl: undefined
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
  SettingsError: ({ message }: SettingsError) => new Stop({ message, exitCode: exitCodes.settings }),
  ServiceRefused: ({ message }: ServiceRefused) => refuse(message)
}

/** `agent-console service install`: the settings' folder is the one it is called in. */
export const installService = Effect.fn("installService")(function* (options: {
  readonly print: boolean
  readonly runAs: Option.Option<string>
}) {
  const settings = yield* loadPlainSettings
  const definition = definitionOf(settings, options.runAs)
  if (packageRoot.split(sep).includes("_npx")) {
    return yield* refuse(
      "this copy of agent-console is in npx's cache, which is emptied some day: install it first with `npm install -g agent-console`"
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
                `The console runs under ${NAMES[manager]} now, and starts again by itself: ${localAddress(settings)}`
              )
            )
          )
  )
}, Effect.catchTags(EXPECTED))

/** `agent-console service uninstall`. */
export const uninstallService = Effect.fn("uninstallService")(function* () {
  const settings = yield* loadPlainSettings
  yield* withInstaller(settings, (installer, manager) =>
    Effect.flatMap(installer.uninstall(manager), (wasThere) =>
      Console.log(
        wasThere
          ? `The console no longer runs under ${NAMES[manager]}. Settings, board and everything else stay.`
          : `There was no service under ${NAMES[manager]}.`
      )
    )
  )
}, Effect.catchTags(EXPECTED))

/** `agent-console service status`; ends with 90 when it does not run. */
export const showService = Effect.fn("showService")(function* () {
  const settings = yield* loadPlainSettings
  const state = yield* withInstaller(settings, (installer, manager) => installer.state(manager))
  if (Option.isNone(state)) {
    return yield* refuse("there is no service yet: make one with `agent-console service install`")
  }
  const { manager, words, startsByItself, isRunning } = state.value
  yield* Console.log(`${NAMES[manager]}: ${words}; ${startsByItself ? "starts by itself" : "does not start by itself"}`)
  if (!isRunning) return yield* new Stop({ message: "", exitCode: exitCodes.service })
}, Effect.catchTags(EXPECTED))
