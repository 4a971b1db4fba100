import { Clock, Effect } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import type { SettingsShape } from "../settings/Settings.ts"
import { systemTimeZone } from "../timezone/systemTimeZone.ts"
import { parseAgentBOutput } from "./agentBReport.ts"
import { unavailable } from "./limitReport.ts"

/** Longest run of the tool; then it is killed. */
const TOOL_LIMIT = "20 seconds"
/** How long it may take to end after that was asked of it. */
const GRACE = "1 second"
const ARGUMENTS = ["-p", "/usage"]

const MISSING = unavailable("agent B's tool cannot be run: install it on this machine or set AGENT_B_COMMAND")
const TOO_SLOW = unavailable("agent B's tool did not answer in time: run it once by hand on this machine")
const SILENT = unavailable("agent B's tool told no limits: sign in with it on this machine")

/** Runs agent B's own tool and reads the limits out of what it prints (D63). */
export const readAgentBLimits = Effect.fn("readAgentBLimits")(function* (settings: SettingsShape) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const command = ChildProcess.make(settings.agentBCommand, ARGUMENTS, {
    stdin: "ignore",
    env: { NO_COLOR: "1", TERM: "dumb" },
    extendEnv: true,
    forceKillAfter: GRACE,
    cwd: settings.svcHome
  })
  const now = yield* Clock.currentTimeMillis
  const ownZone = yield* systemTimeZone
  return yield* spawner.string(command).pipe(
    Effect.map((output) => parseAgentBOutput(output, now, ownZone) ?? SILENT),
    Effect.timeoutOrElse({ duration: TOOL_LIMIT, orElse: () => Effect.succeed(TOO_SLOW) }),
    Effect.orElseSucceed(() => MISSING)
  )
})
