import { posix } from "node:path"
import { Effect, Option, Schema, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { type GitSettings, gitVariables } from "./gitVariables.ts"

/** Settings that keep `git` from running a repository's programs, using the network and writing. */
const SAFE_OPTIONS: ReadonlyArray<string> = [
  "--no-pager",
  "--no-optional-locks",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.sshCommand=false",
  "-c",
  "credential.helper=",
  "-c",
  "protocol.allow=never",
  "-c",
  "status.submoduleSummary=false",
  "-c",
  "submodule.recurse=false"
]

/** `git` couldn't be run, took too long or can't tell; `message` says what to do. */
export class GitFailure extends Schema.TaggedError<GitFailure>()("GitFailure", {
  message: Schema.String,
  cause: Schema.Defect()
}) {}

/** Time limit for one `git` command. */
const TIME_LIMIT = "5 seconds"
/** Maximum output read, in bytes; none of our commands print more in a healthy repository. */
const MAX_OUTPUT = 1024 * 1024

/**
 * Limits of one `git`, in KiB: what it allocates, and with that what it maps of files. A hostile repository names sizes
 * of gigabytes; a repository that needs more than this isn't told.
 */
const MAX_ALLOCATED = 64 * 1024
const MAX_ADDRESSES = 512 * 1024
const MAX_SECONDS_OF_CPU = 10

/**
 * Node can't limit a process, so the shell does, and then becomes `git`. No argument is part of its program. A system
 * that doesn't know one of the limits goes without it.
 */
const LIMITED = [
  ["-c", 0],
  ["-t", MAX_SECONDS_OF_CPU],
  ["-d", MAX_ALLOCATED],
  ["-v", MAX_ADDRESSES]
]
  .map(([limit, value]) => `ulimit ${limit} ${value} 2>/dev/null;`)
  .concat('exec "$0" "$@"')
  .join(" ")

/** The shell's exit codes for a program that isn't there or can't be run. */
const NOT_RUN: ReadonlySet<number> = new Set([126, 127])

/** What `git` printed and whether it succeeded; stopping early with enough output counts as success. */
export interface GitOutput {
  readonly text: string
  readonly isOk: boolean
}

export interface GitRun {
  readonly directory: string
  readonly args: ReadonlyArray<string>
  /** Folders above which git doesn't look for a repository. */
  readonly ceilings: ReadonlyArray<string>
  /** Whose settings apply besides the repository's own; the owner's if not set. */
  readonly settings?: GitSettings
  /** Variables added to those every `git` has. */
  readonly variables?: Readonly<Record<string, string>>
  /** Whether the output so far is enough; `git` is then stopped. */
  readonly isEnough?: (text: string) => boolean
}

const notRun = (cause: unknown) => new GitFailure({ message: "couldn't run git: check that it's installed", cause })

/**
 * Runs `git` with limits of time and memory, and with everything disabled that would let a repository run programs.
 * Output that is cut is a failure: what follows isn't known.
 */
export const runGit = Effect.fn("runGit")(
  function* ({ directory, args, ceilings, settings = "owner", variables = {}, isEnough = () => false }: GitRun) {
    const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
    const env = {
      ...(yield* gitVariables(settings)),
      GIT_CEILING_DIRECTORIES: ceilings.join(posix.delimiter),
      ...variables
    }
    const child = yield* spawner.spawn(
      ChildProcess.make("/bin/sh", ["-c", LIMITED, "git", ...SAFE_OPTIONS, ...args], {
        cwd: directory,
        env,
        extendEnv: false,
        stdin: "ignore",
        stderr: "ignore",
        killSignal: "SIGKILL"
      })
    )
    let text = ""
    let bytes = 0
    let isDone = false
    yield* child.stdout.pipe(
      Stream.tap((part) =>
        Effect.sync(() => {
          bytes += part.length
        })
      ),
      Stream.decodeText(),
      Stream.takeUntil((part) => {
        text += part
        isDone = isEnough(text)
        return isDone || bytes > MAX_OUTPUT
      }),
      Stream.runDrain
    )
    if (isDone) return { text, isOk: true } satisfies GitOutput
    if (bytes > MAX_OUTPUT) {
      return yield* new GitFailure({ message: "git printed more than the console reads", cause: undefined })
    }
    // What was killed, by a limit or its own fault, has no exit code.
    const code = yield* Effect.option(child.exitCode)
    if (Option.isSome(code) && NOT_RUN.has(code.value)) return yield* notRun(undefined)
    const isOk = Option.isSome(code) && code.value === ChildProcessSpawner.ExitCode(0)
    return { text, isOk } satisfies GitOutput
  },
  Effect.scoped,
  Effect.timeout(TIME_LIMIT),
  Effect.catchTags({
    TimeoutError: (cause) => Effect.fail(new GitFailure({ message: "git didn't answer within 5 seconds", cause })),
    PlatformError: (cause) => Effect.fail(notRun(cause))
  })
)
