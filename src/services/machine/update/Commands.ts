import { Context, Deferred, Duration, Effect, Fiber, Layer, Option, Ref, Schema, Stream } from "effect"
import { ChildProcessSpawner, CommandLine } from "effect/process"
import { childCommand, type Need } from "../../platform/process/childCommand.ts"
import { Processes } from "./Processes.ts"
import type { ProcessMark } from "./UpdateFiles.ts"
import { UpdateReport } from "./UpdateReport.ts"
import { UpdateTarget } from "./UpdateTarget.ts"

/** A program couldn't be run, took too long or failed. */
export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", {
  /** What happened, in one sentence. */
  message: Schema.String,
  /** Exit code, if there is one. */
  code: Schema.optional(Schema.Finite),
  /** What it printed; only the end if that's a lot. */
  output: Schema.String
}) {}

export interface Run {
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly directory?: string
  readonly timeLimit: Duration.Input
  /** Variables it needs beyond those that every program gets. */
  readonly needs?: ReadonlyArray<Need>
}

export interface CommandsShape {
  /** Runs a program to completion, without a shell, and returns its stdout. */
  readonly run: (run: Run) => Effect.Effect<string, CommandFailed>
  /** Called with the leader of every process group, before it starts working. */
  readonly onStart: (listener: (leader: ProcessMark) => Effect.Effect<void>) => Effect.Effect<void>
  /** Called with every command line and its output, chunk by chunk. */
  readonly onOutput: (listener: (text: string) => Effect.Effect<void>) => Effect.Effect<void>
}

/** How many characters of a program's output are kept. */
const KEPT = 1024 * 1024
const GRACE = "5 seconds"
/** How long to wait for the rest of the output after a program has exited. */
const READ_PATIENCE = "2 seconds"

/** No program of an update asks anything, and their texts are read here. */
const SETTINGS = {
  LC_ALL: "C",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "",
  SSH_ASKPASS: "",
  // A replaced object isn't the one that was published and signed.
  GIT_NO_REPLACE_OBJECTS: "1",
  NO_COLOR: "1",
  npm_config_update_notifier: "false"
}

/** Waits for a line before becoming the program: a process that isn't on record yet must not start working. */
const GATE = 'read -r go && exec "$0" "$@" </dev/null'
const NOT_FOUND = 127

const spell = ({ program, args }: Run) => CommandLine.display([program, ...args], { format: "posix" })

/** Runs an update's programs, one after the other. */
export class Commands extends Context.Service<Commands, CommandsShape>()(
  "agent-console/services/machine/update/Commands"
) {
  static readonly layer = Layer.effect(
    Commands,
    Effect.gen(function* () {
      const { path } = yield* UpdateTarget
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
      const report = yield* UpdateReport
      const processes = yield* Processes
      const started = yield* Ref.make((_leader: ProcessMark): Effect.Effect<void> => Effect.void)
      const printed = yield* Ref.make((_text: string): Effect.Effect<void> => Effect.void)

      const collect = Effect.fnUntraced(function* (run: Run) {
        const isKnown = yield* Deferred.make<Uint8Array>()
        const child = yield* spawner.spawn(
          yield* childCommand("sh", ["-c", GATE, run.program, ...run.args], {
            cwd: run.directory,
            needs: run.needs,
            set: { ...SETTINGS, ...(path === undefined ? {} : { PATH: path }) },
            stdin: Stream.fromEffect(Deferred.await(isKnown)),
            forceKillAfter: GRACE
          })
        )
        const leader = yield* processes.find(child.pid)
        if (Option.isSome(leader)) yield* (yield* Ref.get(started))(leader.value)
        yield* Deferred.succeed(isKnown, new TextEncoder().encode("go\n"))
        let stdout = ""
        let all = ""
        const onOutput = yield* Ref.get(printed)
        const keep = (from: "stdout" | "stderr", text: string) => {
          all = (all + text).slice(-KEPT)
          if (from === "stdout") stdout = (stdout + text).slice(-KEPT)
        }
        const read = (from: "stdout" | "stderr") =>
          child[from].pipe(
            Stream.decodeText(),
            Stream.tap((text) =>
              Effect.andThen(
                Effect.sync(() => keep(from, text)),
                onOutput(text)
              )
            ),
            Stream.splitLines,
            Stream.runForEach((line) => report.detail(`  ${line}`))
          )
        const reading = yield* Effect.forkChild(
          Effect.all([read("stdout"), read("stderr")], { concurrency: "unbounded" })
        )
        // A killed program has no exit code.
        const code = yield* Effect.option(child.exitCode)
        // Its own children may keep running and hold the output open; don't wait for them.
        const isRead = yield* Effect.timeoutOption(Effect.exit(Fiber.join(reading)), READ_PATIENCE)
        if (Option.isNone(isRead) && Option.isSome(leader)) {
          yield* processes.endGroup(leader.value)
          yield* Effect.timeoutOption(Effect.exit(Fiber.join(reading)), READ_PATIENCE)
        }
        return { code: Option.getOrUndefined(Option.map(code, Number)), stdout, all }
      }, Effect.scoped)

      const run = Effect.fn("Commands.run")(function* (one: Run) {
        yield* report.detail(`$ ${spell(one)}`)
        yield* (yield* Ref.get(printed))(`$ ${spell(one)}\n`)
        const missing = new CommandFailed({
          message: `couldn't run ${one.program}: check that it's installed`,
          output: ""
        })
        const { code, stdout, all } = yield* collect(one).pipe(
          Effect.timeout(one.timeLimit),
          Effect.catchTags({
            TimeoutError: () =>
              Effect.fail(
                new CommandFailed({
                  message: `${spell(one)} took longer than ${Duration.format(Duration.fromInputUnsafe(one.timeLimit))} and was stopped`,
                  output: ""
                })
              ),
            PlatformError: () => Effect.fail(missing)
          })
        )
        if (code === 0) return stdout
        if (code === NOT_FOUND) return yield* missing
        const how = code === undefined ? "was killed" : "failed"
        return yield* new CommandFailed({ message: `${spell(one)} ${how}`, code, output: all })
      })

      return Commands.of({
        run,
        onStart: (listener) => Ref.set(started, listener),
        onOutput: (listener) => Ref.set(printed, listener)
      })
    })
  )
}
