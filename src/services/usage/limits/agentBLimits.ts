import { Clock, Effect } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { failure } from "../../../contract/failures.ts"
import { childCommand } from "../../platform/process/childCommand.ts"
import type { SettingsShape } from "../../platform/settings/Settings.ts"
import { parseAgentBOutput } from "./agentBReport.ts"
import { unavailable } from "./limitReport.ts"

/** How long the tool may run before it's killed. */
const TOOL_LIMIT = "20 seconds"
/** How long it may take to stop after being asked to. */
const GRACE = "1 second"
const ARGUMENTS = ["-p", "/usage"]

const MISSING = unavailable(failure("AGENT_B_MISSING"))
const TOO_SLOW = unavailable(failure("AGENT_B_TIMED_OUT"))
const SILENT = unavailable(failure("AGENT_B_NO_LIMITS"))

/** Runs agent B's own tool and reads the limits from its output. */
export const readAgentBLimits = Effect.fn("readAgentBLimits")(function* (settings: SettingsShape) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const command = yield* childCommand(settings.agentBCommand, ARGUMENTS, {
    needs: ["agentB", "network"],
    set: { NO_COLOR: "1", TERM: "dumb" },
    stdin: "ignore",
    forceKillAfter: GRACE,
    cwd: settings.svcHome
  })
  const now = yield* Clock.currentTimeMillis
  const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return yield* spawner.string(command).pipe(
    Effect.map((output) => parseAgentBOutput(output, now, ownZone) ?? SILENT),
    Effect.timeoutOrElse({ duration: TOOL_LIMIT, orElse: () => Effect.succeed(TOO_SLOW) }),
    Effect.orElseSucceed(() => MISSING)
  )
})
