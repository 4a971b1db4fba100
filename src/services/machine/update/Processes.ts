import { Context, Effect, FileSystem, Layer, Option, Schedule } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { childCommand } from "../../platform/process/childCommand.ts"
import type { ProcessMark } from "./UpdateFiles.ts"

/** The parts of `/proc/<pid>/stat` that matter here. */
interface ProcessStat {
  /** Exited but not reaped yet (a zombie). */
  readonly isZombie: boolean
  /** Start time in clock ticks since boot. */
  readonly started: string
}

const STARTED = 19

/** Reads `/proc/<pid>/stat`; the name in parentheses may itself contain spaces and parentheses. */
export const parseProcessStat = (text: string): ProcessStat | undefined => {
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .trim()
    .split(" ")
  const [state, started] = [fields[0], fields[STARTED]]
  return state === undefined || started === undefined
    ? undefined
    : { isZombie: state === "Z" || state === "X", started }
}

export interface ProcessesShape {
  /** This process. */
  readonly current: Effect.Effect<ProcessMark>
  /** The identifying mark of the process with this id, if it's running. */
  readonly find: (pid: number) => Effect.Effect<Option.Option<ProcessMark>>
  /** Whether this very process is still running, not another one that got its id. */
  readonly isRunning: (process: ProcessMark) => Effect.Effect<boolean>
  /**
   * Stops a process group by its leader and waits until it's gone. Does nothing if the id now belongs to another
   * process.
   */
  readonly endGroup: (leader: ProcessMark) => Effect.Effect<void>
}

/** How long a group gets to exit by itself before it's killed. */
const GRACE = "5 seconds"
/** How long to wait for a killed one. */
const KILL_PATIENCE = "5 seconds"
const LOOK_EVERY = "20 millis"
const BOOT_ID = "/proc/sys/kernel/random/boot_id"

const signal = (pid: number, name: NodeJS.Signals | 0) =>
  Effect.try({ try: () => process.kill(pid, name), catch: () => "gone" as const }).pipe(
    Effect.as(true),
    Effect.orElseSucceed(() => false)
  )

/** This machine's processes, distinguished even though ids are reused. */
export class Processes extends Context.Service<Processes, ProcessesShape>()(
  "agent-console/services/machine/update/Processes"
) {
  static readonly layer = Layer.effect(
    Processes,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
      const bootId = yield* Effect.option(fs.readFileString(BOOT_ID))

      const fromLinux = (pid: number, boot: string) =>
        fs.readFileString(`/proc/${pid}/stat`).pipe(
          Effect.map(parseProcessStat),
          Effect.map((stat) =>
            stat === undefined || stat.isZombie ? Option.none() : Option.some(`${boot.trim()} ${stat.started}`)
          ),
          Effect.orElseSucceed(() => Option.none())
        )

      const fromTool = (pid: number) =>
        childCommand("ps", ["-o", "lstart=", "-p", String(pid)], { stdin: "ignore" }).pipe(
          Effect.flatMap((command) => spawner.string(command)),
          Effect.map((text) => (text.trim() === "" ? Option.none() : Option.some(text.trim()))),
          // Without the tool, the id alone has to do.
          Effect.catch(() =>
            Effect.map(signal(pid, 0), (isThere) => (isThere ? Option.some("running") : Option.none()))
          )
        )

      const find = Effect.fn("Processes.find")(function* (pid: number) {
        const mark: Option.Option<string> = Option.isSome(bootId)
          ? yield* fromLinux(pid, bootId.value)
          : yield* fromTool(pid)
        return Option.map(mark, (one): ProcessMark => ({ pid, mark: one }))
      })

      const isRunning = Effect.fnUntraced(function* (one: ProcessMark) {
        return Option.exists(yield* find(one.pid), ({ mark }) => mark === one.mark)
      })

      const waitUntilGone = (leader: ProcessMark) =>
        Effect.repeat(signal(-leader.pid, 0), {
          schedule: Schedule.spaced(LOOK_EVERY),
          until: (isThere) => !isThere
        })

      const endGroup = Effect.fn("Processes.endGroup")(function* (leader: ProcessMark) {
        const now = yield* find(leader.pid)
        // The leader may be gone while others in its group keep running; the group's id isn't reused until they're
        // gone.
        if (Option.isSome(now) && now.value.mark !== leader.mark) return
        if (!(yield* signal(-leader.pid, "SIGTERM"))) return
        const ended = yield* waitUntilGone(leader).pipe(Effect.timeoutOption(GRACE))
        if (Option.isSome(ended)) return
        yield* signal(-leader.pid, "SIGKILL")
        yield* waitUntilGone(leader).pipe(Effect.timeoutOption(KILL_PATIENCE))
      })

      return Processes.of({
        current: Effect.map(
          find(process.pid),
          Option.getOrElse((): ProcessMark => ({ pid: process.pid, mark: "running" }))
        ),
        find,
        isRunning,
        endGroup
      })
    })
  )
}
