import { posix } from "node:path"
import { Context, Effect, FileSystem, Layer, Option, type Path } from "effect"
import { writeFileAtomic } from "../../platform/storage/atomicFile.ts"
import { type CommandFailed, Commands } from "../update/Commands.ts"
import { definedIn } from "./definedIn.ts"
import { ServiceRefused } from "./ServiceManager.ts"
import {
  LAUNCHD_LABEL,
  launchdPlist,
  type Manager,
  parseProperties,
  type ServiceDefinition,
  type ServicePlaces,
  SYSTEMD_UNIT,
  type SystemdScope,
  serviceFile,
  systemdUnit
} from "./serviceFiles.ts"

/** This user, and the files that belong to the user's services. */
export interface InstallerPlaces extends ServicePlaces {
  readonly userId: number
  readonly platform: NodeJS.Platform
}

/** The state of the installed service. */
export interface ServiceState {
  readonly manager: Manager
  readonly isRunning: boolean
  /** Whether it starts with the machine or the session. */
  readonly startsByItself: boolean
  /** Whether it only runs while its user is signed in. */
  readonly needsSession: boolean
  /** In the manager's own words. */
  readonly words: string
}

export interface ServiceInstallerShape {
  /** This machine's service manager; fails with a message if there is none. */
  readonly manager: Effect.Effect<Manager, ServiceRefused>
  /** The file that would be written. */
  readonly textFor: (manager: Manager, service: ServiceDefinition) => string
  /** Writes the file and starts the service now and at every boot. Installing again replaces it. */
  readonly install: (manager: Manager, service: ServiceDefinition) => Effect.Effect<void, ServiceRefused>
  /** Stops the service and removes its file; `false` if there was none. */
  readonly uninstall: (manager: Manager) => Effect.Effect<boolean, ServiceRefused>
  /** None if it isn't installed. */
  readonly state: (manager: Manager) => Effect.Effect<Option.Option<ServiceState>>
  /** The service of this user, else that of the whole machine; none if there's neither. */
  readonly installed: Effect.Effect<Option.Option<ServiceState>, ServiceRefused>
  readonly restart: (manager: Manager) => Effect.Effect<void, ServiceRefused>
  /** The command that prints what the service wrote. */
  readonly logs: (manager: Manager, range: LogRange) => Effect.Effect<LogCommand, ServiceRefused>
}

/** Which part of the log. */
export interface LogRange {
  /** How many of the last lines. */
  readonly lines: number
  /** Whether it goes on with what is written from then on. */
  readonly follow: boolean
}

export interface LogCommand {
  readonly program: string
  readonly args: ReadonlyArray<string>
}

const LIMIT = "1 minute"
const SHARED_FILE = 0o644

const scopeOf = (manager: Manager): SystemdScope | undefined =>
  manager === "launchd" ? undefined : manager === "systemd-user" ? "user" : "system"

const refused = ({ message, output }: CommandFailed) => {
  const last = output.trim().split("\n").at(-1) ?? ""
  return new ServiceRefused({ message: last === "" ? message : `${message}: ${last}` })
}

/** Installs the console as a service and removes it again. */
export class ServiceInstaller extends Context.Service<ServiceInstaller, ServiceInstallerShape>()(
  "agent-console/services/machine/service-manager/ServiceInstaller"
) {
  static readonly layer = (places: InstallerPlaces) =>
    Layer.effect(
      ServiceInstaller,
      Effect.gen(function* () {
        const commands = yield* Commands
        const fs = yield* FileSystem.FileSystem
        const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
        const domain = `gui/${places.userId}`
        const agent = `${domain}/${LAUNCHD_LABEL}`

        const run = (program: string, ...args: ReadonlyArray<string>) =>
          commands.run({ program, args, timeLimit: LIMIT, needs: ["session"] })
        const systemctl = (scope: SystemdScope, ...args: ReadonlyArray<string>) =>
          run("systemctl", ...(scope === "user" ? ["--user"] : []), ...args)

        const fileOf = (manager: Manager): string => serviceFile(manager, places)

        const manager = Effect.gen(function* () {
          if (places.platform === "darwin") return "launchd" as const
          const hasSystemd = yield* run("systemctl", "--version").pipe(
            Effect.as(true),
            Effect.orElseSucceed(() => false)
          )
          if (hasSystemd) return places.userId === 0 ? ("systemd-system" as const) : ("systemd-user" as const)
          return yield* new ServiceRefused({
            message:
              "this machine has neither systemd nor launchd: have its service manager run `agent-console serve` in the console's folder"
          })
        })

        const textFor = (one: Manager, service: ServiceDefinition): string => {
          const scope = scopeOf(one)
          return scope === undefined ? launchdPlist(service) : systemdUnit(service, scope)
        }

        const write = (one: Manager, text: string) =>
          fs.makeDirectory(posix.dirname(fileOf(one)), { recursive: true }).pipe(
            Effect.andThen(writeFileAtomic(fileOf(one), text, { mode: SHARED_FILE })),
            Effect.provideContext(platform),
            Effect.mapError(
              () =>
                new ServiceRefused({
                  message: "couldn't write the service file: check who owns its folder"
                })
            )
          )

        const start = (one: Manager) => {
          const scope = scopeOf(one)
          if (scope === undefined) {
            return run("launchctl", "bootout", agent).pipe(
              Effect.ignore,
              Effect.andThen(run("launchctl", "bootstrap", domain, fileOf(one)))
            )
          }
          return systemctl(scope, "daemon-reload").pipe(
            Effect.andThen(systemctl(scope, "enable", SYSTEMD_UNIT)),
            Effect.andThen(systemctl(scope, "restart", SYSTEMD_UNIT)),
            // Lets it run while the user isn't signed in. If that's not allowed, it runs while they are, as `state` says.
            Effect.andThen(scope === "user" ? Effect.ignore(run("loginctl", "enable-linger")) : Effect.void)
          )
        }

        const install = Effect.fn("ServiceInstaller.install")(function* (one: Manager, service: ServiceDefinition) {
          yield* write(one, textFor(one, service))
          yield* start(one).pipe(Effect.mapError(refused))
        })

        const uninstall = Effect.fn("ServiceInstaller.uninstall")(function* (one: Manager) {
          const scope = scopeOf(one)
          const isThere = yield* fs.exists(fileOf(one)).pipe(Effect.orElseSucceed(() => false))
          if (!isThere) return false
          yield* scope === undefined
            ? Effect.ignore(run("launchctl", "bootout", agent))
            : systemctl(scope, "disable", "--now", SYSTEMD_UNIT).pipe(Effect.mapError(refused))
          yield* fs
            .remove(fileOf(one), { force: true })
            .pipe(Effect.mapError(() => new ServiceRefused({ message: "couldn't remove the service file" })))
          if (scope !== undefined) yield* Effect.ignore(systemctl(scope, "daemon-reload"))
          return true
        })

        /** What systemd says; where it says nothing, nobody is told that the service would end. */
        const needsSession = Effect.suspend(() =>
          run("loginctl", "show-user", String(places.userId), "--property=Linger")
        ).pipe(
          Effect.map((text) => parseProperties(text).Linger === "no"),
          Effect.orElseSucceed(() => false)
        )

        const systemdState = (one: Manager, scope: SystemdScope) =>
          systemctl(
            scope,
            "show",
            "--property=LoadState,ActiveState,SubState,UnitFileState,MainPID",
            SYSTEMD_UNIT
          ).pipe(
            Effect.map(parseProperties),
            Effect.flatMap(({ LoadState, ActiveState, SubState, UnitFileState, MainPID }) =>
              LoadState === "loaded"
                ? Effect.map(scope === "user" ? needsSession : Effect.succeed(false), (isBound) =>
                    Option.some<ServiceState>({
                      manager: one,
                      isRunning: ActiveState === "active",
                      startsByItself: UnitFileState === "enabled",
                      needsSession: isBound,
                      words: `${ActiveState} (${SubState})${MainPID === undefined || MainPID === "0" ? "" : `, process ${MainPID}`}`
                    })
                  )
                : Effect.succeedNone
            ),
            Effect.orElseSucceed(() => Option.none<ServiceState>())
          )

        const launchdState = run("launchctl", "print", agent).pipe(
          Effect.map((text) => {
            const word = /^\s*state = (.+)$/m.exec(text)?.[1] ?? "unknown"
            const pid = /^\s*pid = (\d+)$/m.exec(text)?.[1]
            return Option.some<ServiceState>({
              manager: "launchd",
              isRunning: word === "running",
              startsByItself: true,
              // Agents of launchd belong to a user's session.
              needsSession: true,
              words: `${word}${pid === undefined ? "" : `, process ${pid}`}`
            })
          }),
          Effect.orElseSucceed(() => Option.none<ServiceState>())
        )

        const state = (one: Manager) => {
          const scope = scopeOf(one)
          return scope === undefined ? launchdState : systemdState(one, scope)
        }

        const installed = Effect.gen(function* () {
          const own = yield* manager
          const found = yield* state(own)
          return own === "systemd-user" && Option.isNone(found) ? yield* state("systemd-system") : found
        })

        const restart = Effect.fn("ServiceInstaller.restart")(function* (one: Manager) {
          const scope = scopeOf(one)
          if (scope === undefined) {
            return yield* run("launchctl", "kickstart", "-k", agent).pipe(Effect.asVoid, Effect.mapError(refused))
          }
          // Without this, systemd refuses one that failed several times in a row.
          yield* Effect.ignore(systemctl(scope, "reset-failed", SYSTEMD_UNIT))
          yield* systemctl(scope, "restart", SYSTEMD_UNIT).pipe(
            Effect.mapError((error) =>
              scope === "system" && places.userId !== 0
                ? new ServiceRefused({
                    message: `only an administrator may restart it: \`sudo systemctl restart ${SYSTEMD_UNIT}\``
                  })
                : refused(error)
            )
          )
        })

        const logs = Effect.fn("ServiceInstaller.logs")(function* (one: Manager, { follow, lines }: LogRange) {
          if (one !== "launchd") {
            const user = one === "systemd-user" ? ["--user"] : []
            const args = [...user, `--unit=${SYSTEMD_UNIT}`, `--lines=${lines}`, "--no-pager"]
            return { program: "journalctl", args: follow ? [...args, "--follow"] : args }
          }
          const { logFile } = yield* definedIn(one, places).pipe(Effect.provideService(FileSystem.FileSystem, fs))
          if (logFile === undefined) {
            return yield* new ServiceRefused({ message: `no log file is named in ${fileOf(one)}: install it again` })
          }
          // `-F` goes on when the file is replaced by a new one.
          return { program: "tail", args: ["-n", String(lines), ...(follow ? ["-F"] : []), logFile] }
        })

        return ServiceInstaller.of({ manager, textFor, install, uninstall, state, installed, restart, logs })
      })
    )
}
