import { homedir } from "node:os"
import { posix } from "node:path"
import { Effect, FileSystem, Result } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { failure } from "../../../contract/failures.ts"
import { childCommand } from "../../platform/process/childCommand.ts"
import type { Need } from "../../platform/process/childVariables.ts"
import type { SettingsShape } from "../../platform/settings/Settings.ts"
import { type Finding, ok, warning } from "./doctorCheck.ts"

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
