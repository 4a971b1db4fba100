import { realpath } from "node:fs/promises"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { Commands } from "../update/Commands.ts"
import { LAUNCHD_LABEL, parseProperties, SYSTEMD_UNIT, type SystemdScope } from "./serviceFiles.ts"

/** The service manager refused; `message` says what and what to do. */
export class ServiceRefused extends Schema.TaggedError<ServiceRefused>()("ServiceRefused", {
  message: Schema.String
}) {}

/** The console as a service on this machine. */
export interface ManagedService {
  /** Its name, with its manager, for people. */
  readonly label: string
  /** Why this user can't restart it, if that's known beforehand. */
  readonly problem: string | undefined
  readonly restart: Effect.Effect<void, ServiceRefused>
}

export interface ServiceManagerShape {
  /** The service that runs this folder's console, if there is one. */
  readonly find: (directory: string) => Effect.Effect<Option.Option<ManagedService>>
}

const ASK_LIMIT = "20 seconds"
const RESTART_LIMIT = "2 minutes"

const sameFolder = (one: string, other: string) =>
  Effect.tryPromise(() => Promise.all([realpath(one), realpath(other)])).pipe(
    Effect.map(([left, right]) => left === right),
    Effect.orElseSucceed(() => one === other)
  )

/** The user's systemd, the system's systemd, or launchd, whichever is there. */
export class ServiceManager extends Context.Service<ServiceManager, ServiceManagerShape>()(
  "agent-console/services/machine/service-manager/ServiceManager"
) {
  static readonly layer = Layer.effect(
    ServiceManager,
    Effect.gen(function* () {
      const commands = yield* Commands
      const userId = process.getuid?.()
      const isRoot = userId === 0

      const succeeds = (program: string, args: ReadonlyArray<string>) =>
        commands.run({ program, args, timeLimit: ASK_LIMIT, needs: ["session"] }).pipe(
          Effect.as(true),
          Effect.orElseSucceed(() => false)
        )

      const restartBy = (program: string, args: ReadonlyArray<string>, lookAt: string) =>
        commands.run({ program, args, timeLimit: RESTART_LIMIT, needs: ["session"] }).pipe(
          Effect.asVoid,
          Effect.mapError(
            ({ message }) =>
              new ServiceRefused({ message: `the service didn't restart (${message}): see \`${lookAt}\`` })
          )
        )

      const systemd = Effect.fnUntraced(function* (scope: SystemdScope, directory: string) {
        const options = scope === "user" ? ["--user"] : []
        const unit = yield* commands
          .run({
            program: "systemctl",
            args: [...options, "show", "--property=LoadState,WorkingDirectory", SYSTEMD_UNIT],
            timeLimit: ASK_LIMIT,
            needs: ["session"]
          })
          .pipe(Effect.map(parseProperties), Effect.option)
        if (Option.isNone(unit) || unit.value.LoadState !== "loaded") return Option.none()
        const folder = unit.value.WorkingDirectory?.replace(/^!/, "")
        if (folder !== undefined && folder !== "" && !(yield* sameFolder(folder, directory))) return Option.none()
        const restart = [...options, "restart", SYSTEMD_UNIT]
        const lookAt = `journalctl ${[...options, "-u", SYSTEMD_UNIT, "-e"].join(" ")}`
        const label = `${SYSTEMD_UNIT} of systemd${scope === "user" ? " (this user's)" : ""}`
        if (scope === "user" || isRoot) {
          return Option.some<ManagedService>({
            label,
            problem: undefined,
            restart: restartBy("systemctl", restart, lookAt)
          })
        }
        const mayRestart = yield* succeeds("sudo", ["-n", "-l", "systemctl", ...restart])
        return Option.some<ManagedService>({
          label,
          problem: mayRestart
            ? undefined
            : `this user isn't allowed to restart ${SYSTEMD_UNIT}: allow \`sudo systemctl restart ${SYSTEMD_UNIT}\` without a password, or update with --no-restart and restart it yourself`,
          restart: restartBy("sudo", ["-n", "systemctl", ...restart], lookAt)
        })
      })

      const launchd = Effect.gen(function* () {
        const service = `gui/${userId ?? 0}/${LAUNCHD_LABEL}`
        if (!(yield* succeeds("launchctl", ["print", service]))) return Option.none()
        return Option.some<ManagedService>({
          label: `${LAUNCHD_LABEL} of launchd`,
          problem: undefined,
          restart: restartBy("launchctl", ["kickstart", "-k", service], `launchctl print ${service}`)
        })
      })

      const find = Effect.fn("ServiceManager.find")(function* (directory: string) {
        const candidates: ReadonlyArray<Effect.Effect<Option.Option<ManagedService>>> = [
          systemd("user", directory),
          systemd("system", directory),
          launchd
        ]
        for (const candidate of candidates) {
          const found = yield* candidate
          if (Option.isSome(found)) return found
        }
        return Option.none()
      })

      return ServiceManager.of({ find })
    })
  )
}
