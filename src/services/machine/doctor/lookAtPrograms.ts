import { createServer } from "node:net"
import { homedir } from "node:os"
import { posix } from "node:path"
import { Effect, FileSystem, Result, Schema } from "effect"
import { HttpClientResponse } from "effect/http"
import { ChildProcessSpawner } from "effect/process"
import { failure } from "../../../contract/failures.ts"
import { outgoingHttp } from "../../platform/outgoing/OutgoingHttp.ts"
import { childCommand, type Need } from "../../platform/process/childCommand.ts"
import type { SettingsShape } from "../../platform/settings/Settings.ts"
import { localAddress } from "../../platform/settings/startRules.ts"
import { packageInfo } from "../../platform/version/packageInfo.ts"
import { type Finding, ok, warning } from "./doctorCheck.ts"
import type { PortUse } from "./doctorRules.ts"

const TOOL_LIMIT = "8 seconds"
const VERSION = /\d+\.\d+[\w.-]*/

/** A service gets the PATH of the shell that installed it. */
const WHERE = failure("INSTALL_PROGRAM")

/** Runs a program as the console does; the version that it tells, and `undefined` if it can't be run. */
const versionOf = (program: string, argument: string, needs: ReadonlyArray<Need>) =>
  Effect.gen(function* () {
    const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
    const command = yield* childCommand(program, [argument], { needs, stdin: "ignore", stderr: "ignore" })
    return VERSION.exec(yield* spawner.string(command))?.[0] ?? "unknown"
  }).pipe(
    Effect.timeout(TOOL_LIMIT),
    Effect.orElseSucceed(() => undefined)
  )

/** Whether agent B's tool has been used by this user, who may well do without it. */
const isAgentBUsed = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const folder = Result.map(Result.try(homedir), (home) => posix.join(home, ".claude"))
  return Result.isSuccess(folder) && (yield* Effect.orElseSucceed(fs.exists(folder.success), () => false))
})

const orElse = (version: string | undefined, missing: Finding): Finding =>
  version === undefined ? missing : ok(failure("NODE_VERSION", { version }))

/**
 * What the console runs: each is started, with what a service has and not what a shell has. The demo starts nothing that
 * may look for its own updates or sign-ins, and a tool of agent B's that nobody uses isn't missed.
 */
export const lookAtPrograms = Effect.fn("lookAtPrograms")(function* (
  settings: Pick<SettingsShape, "agentBCommand" | "ffmpegCommand" | "gatewayCli" | "isDemo">,
  isGatewayHere: boolean
) {
  const [ffmpeg, git, gateway, agentB] = yield* Effect.all(
    [
      versionOf(settings.ffmpegCommand, "-version", []),
      versionOf("git", "--version", []),
      settings.isDemo ? Effect.succeed(undefined) : versionOf(settings.gatewayCli, "--version", ["gateway"]),
      settings.isDemo ? Effect.succeed(undefined) : versionOf(settings.agentBCommand, "--version", ["agentB"])
    ],
    { concurrency: "unbounded" }
  )
  const isMissed = agentB === undefined && !settings.isDemo && (yield* isAgentBUsed)
  const missed = warning(failure("AGENT_B_NOT_RUN"), WHERE)
  const findings: Readonly<Record<"ffmpeg" | "git" | "gateway-cli", Finding>> & { readonly "agent-b"?: Finding } = {
    ffmpeg: orElse(ffmpeg, warning(failure("FFMPEG_NOT_RUN"), failure("INSTALL_FFMPEG"))),
    git: orElse(git, warning(failure("GIT_NOT_RUN"), WHERE)),
    "gateway-cli": orElse(
      gateway,
      isGatewayHere ? warning(failure("CLI_NOT_RUN"), WHERE) : ok(failure("CLI_NOT_NEEDED"))
    ),
    ...(agentB === undefined && !isMissed ? {} : { "agent-b": orElse(agentB, missed) })
  }
  return findings
})

const ANSWER_LIMIT = "3 seconds"

const Version = Schema.Struct({ name: Schema.Literal(packageInfo.name), version: Schema.String })

const USES: Readonly<Record<string, PortUse>> = {
  EADDRINUSE: { kind: "taken" },
  EACCES: { kind: "forbidden" },
  EADDRNOTAVAIL: { kind: "noSuchAddress" },
  ENOTFOUND: { kind: "noSuchAddress" }
}

/** Tries to listen for a moment, which is the only way to know. */
const tryToListen = ({ host, port }: Pick<SettingsShape, "host" | "port">) =>
  Effect.callback<PortUse>((resume) => {
    const server = createServer()
    server.once("error", (error) => {
      resume(Effect.succeed(("code" in error ? USES[String(error.code)] : undefined) ?? { kind: "taken" }))
    })
    server.listen(port, host, () => server.close(() => resume(Effect.succeed({ kind: "free" }))))
    return Effect.sync(() => server.close())
  })

/** What's using the configured port: a console, nothing, or another program. */
export const portUse = Effect.fn("portUse")(function* (settings: Pick<SettingsShape, "host" | "port" | "basePath">) {
  const client = yield* outgoingHttp
  const isOurs = client.get(`${localAddress(settings)}/api/version`).pipe(
    Effect.flatMap(HttpClientResponse.schemaBodyJson(Version)),
    Effect.timeout(ANSWER_LIMIT),
    Effect.map(({ version }): PortUse => ({ kind: "console", version }))
  )
  return yield* isOurs.pipe(Effect.catch(() => tryToListen(settings)))
})
