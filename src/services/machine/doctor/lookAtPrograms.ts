import { homedir } from "node:os"
import { posix } from "node:path"
import { Effect, FileSystem, Result } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { childCommand } from "../../platform/process/childCommand.ts"
import type { Need } from "../../platform/process/childVariables.ts"
import type { SettingsShape } from "../../platform/settings/Settings.ts"
import { type Finding, ok, warning } from "./doctorCheck.ts"

const TOOL_LIMIT = "8 seconds"
const VERSION = /\d+\.\d+[\w.-]*/

/** A service gets the PATH of the shell that installed it. */
const WHERE =
  "Install it. If a shell finds it and the service doesn't, run `agent-console service install` in that shell."

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
  version === undefined ? missing : ok(`Version ${version}.`)

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
  const missed = warning("Couldn't run it; without it, Usage doesn't show Claude Code's limits.", WHERE)
  const findings: Readonly<Record<"ffmpeg" | "git" | "gateway-cli", Finding>> & { readonly "agent-b"?: Finding } = {
    ffmpeg: orElse(
      ffmpeg,
      warning(
        "Couldn't run it; it converts recordings other than WAV for speech recognition on this machine (the console's page converts its own), and voices that aren't MP3.",
        "Install it (`apt install ffmpeg`, `dnf install ffmpeg` or `brew install ffmpeg`), or set FFMPEG_COMMAND."
      )
    ),
    git: orElse(
      git,
      warning("Couldn't run it; without it, sessions show no branch and updates aren't possible.", WHERE)
    ),
    "gateway-cli": orElse(
      gateway,
      isGatewayHere
        ? warning("Couldn't run it; the console asks it what the gateway's connection can't answer.", WHERE)
        : ok("Not needed: the gateway isn't on this machine.")
    ),
    ...(agentB === undefined && !isMissed ? {} : { "agent-b": orElse(agentB, missed) })
  }
  return findings
})
