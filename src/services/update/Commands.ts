import { Context, Deferred, Duration, Effect, Layer, Option, Ref, Schema, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner, CommandLine } from "effect/process"
import { Processes } from "./Processes.ts"
import { UpdateReport } from "./UpdateReport.ts"
import { UpdateTarget } from "./UpdateTarget.ts"
import type { ProcessMark } from "./updateState.ts"

/** A program cannot be run, took too long or was not content. */
export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", {
  /** What happened, in one sentence. */
  message: Schema.String,
  /** Exit code; `undefined` where it has none. */
  code: Schema.optional(Schema.Finite),
  /** The end of what it printed. */
  output: Schema.String
}) {}

export interface Run {
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly directory?: string
  readonly timeLimit: Duration.Input
  /** On top of the environment of this process; `undefined` takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

export interface CommandsShape {
  /** Runs a program to its end, without a shell, and answers what it wrote to stdout. */
  readonly run: (run: Run) => Effect.Effect<string, CommandFailed>
  /** Called with the leader of every process group that is started, before it begins to work. */
  readonly onStart: (listener: (leader: ProcessMark) => Effect.Effect<void>) => Effect.Effect<void>
}

/** Most characters kept of what a program prints; the end is what tells. */
const KEPT = 1024 * 1024
const KEPT_ON_FAILURE = 4000
const GRACE = "5 seconds"

/** What would lead `git` elsewhere, make `npm` leave out what a build needs, or belongs to this process alone. */
const ENVIRONMENT = {
  LC_ALL: "C",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "",
  SSH_ASKPASS: "",
  GIT_DIR: undefined,
  GIT_WORK_TREE: undefined,
  GIT_INDEX_FILE: undefined,
  NODE_ENV: undefined,
  NODE_COMPILE_CACHE: undefined,
  AGENT_CONSOLE_RERUN: undefined,
  NO_COLOR: "1",
  FORCE_COLOR: undefined,
  npm_config_update_notifier: "false"
}

/** Waits for a line before it becomes the program: one that nobody could find again must not begin to work. */
const GATE = 'read -r go && exec "$0" "$@" </dev/null'
const NOT_FOUND = 127

const spell = ({ program, args }: Run) => CommandLine.display([program, ...args], { format: "posix" })

const endOf = (text: string) => text.trimEnd().slice(-KEPT_ON_FAILURE)

/** Programs an update runs, one after the other. */
export class Commands extends Context.Service<Commands, CommandsShape>()("agent-console/services/update/Commands") {
  static readonly layer = Layer.effect(
    Commands,
    Effect.gen(function* () {
      const { path } = yield* UpdateTarget
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
      const report = yield* UpdateReport
      const processes = yield* Processes
      const listener = yield* Ref.make((_leader: ProcessMark): Effect.Effect<void> => Effect.void)

      const collect = Effect.fnUntraced(function* (run: Run) {
        const isKnown = yield* Deferred.make<Uint8Array>()
        const child = yield* spawner.spawn(
          ChildProcess.make("sh", ["-c", GATE, run.program, ...run.args], {
            ...(run.directory === undefined ? {} : { cwd: run.directory }),
            env: { ...ENVIRONMENT, ...(path === undefined ? {} : { PATH: path }), ...run.env },
            extendEnv: true,
            stdin: Stream.fromEffect(Deferred.await(isKnown)),
            forceKillAfter: GRACE
          })
        )
        const leader = yield* processes.find(child.pid)
        if (Option.isSome(leader)) yield* (yield* Ref.get(listener))(leader.value)
        yield* Deferred.succeed(isKnown, new TextEncoder().encode("go\n"))
        let stdout = ""
        let all = ""
        const keep = (from: "stdout" | "stderr") => (text: string) => {
          all = (all + text).slice(-KEPT)
          if (from === "stdout") stdout = (stdout + text).slice(-KEPT)
        }
        const read = (from: "stdout" | "stderr") =>
          child[from].pipe(
            Stream.decodeText(),
            Stream.tap((text) => Effect.sync(() => keep(from)(text))),
            Stream.splitLines,
            Stream.runForEach((line) => report.detail(`  ${line}`))
          )
        yield* Effect.all([read("stdout"), read("stderr")], { concurrency: "unbounded" })
        return { code: Number(yield* child.exitCode), stdout, all }
      }, Effect.scoped)

      const run = Effect.fn("Commands.run")(function* (one: Run) {
        yield* report.detail(`$ ${spell(one)}`)
        const missing = new CommandFailed({
          message: `${one.program} cannot be run: check that it is installed`,
          output: ""
        })
        const { code, stdout, all } = yield* collect(one).pipe(
          Effect.timeout(one.timeLimit),
          Effect.catchTags({
            TimeoutError: () =>
              Effect.fail(
                new CommandFailed({
                  message: `${spell(one)} took longer than ${Duration.format(Duration.fromInputUnsafe(one.timeLimit))} and was ended`,
                  output: ""
                })
              ),
            PlatformError: () => Effect.fail(missing)
          })
        )
        if (code === 0) return stdout
        if (code === NOT_FOUND) return yield* missing
        return yield* new CommandFailed({ message: `${spell(one)} failed`, code, output: endOf(all) })
      })

      return Commands.of({ run, onStart: (next) => Ref.set(listener, next) })
    })
  )
}
