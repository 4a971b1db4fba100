import { posix } from "node:path"
import { Config, ConfigProvider, Effect, Option, Schema, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"

/** The settings that `git` uses: those of the machine and the user, or only those in the command. */
type GitSettings = "owner" | "none"

/** Variables of every `git`: no prompts, no network, no writing, and English. */
const ALWAYS = {
  LC_ALL: "C",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1"
}

const WITHOUT_SETTINGS = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", GIT_ATTR_NOSYSTEM: "1" }

/** `SUDO_UID` is the user whose files git trusts when `sudo` started the console. */
const OWNERS = ["HOME", "XDG_CONFIG_HOME", "SUDO_UID"]

/** The environment of `git`: a short list, and nothing else of the console's environment. */
export const gitVariables = Effect.fnUntraced(function* (settings: GitSettings) {
  const environment = ConfigProvider.fromEnv()
  const found: Record<string, string> = {}
  for (const name of settings === "owner" ? ["PATH", ...OWNERS] : ["PATH"]) {
    const value = yield* Effect.option(Config.String(name).parse(environment))
    if (Option.isSome(value)) found[name] = value.value
  }
  const variables: Readonly<Record<string, string>> = {
    ...found,
    ...ALWAYS,
    ...(settings === "none" ? WITHOUT_SETTINGS : {})
  }
  return variables
})

/** Settings that keep `git` from running a repository's programs, using the network and writing. */
const SAFE_OPTIONS: ReadonlyArray<string> = [
  "--no-pager",
  "--no-optional-locks",
  ...[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.sshCommand=false",
    "credential.helper=",
    "protocol.allow=never",
    "status.submoduleSummary=false",
    "submodule.recurse=false"
  ].flatMap((setting) => ["-c", setting])
]

/** `git` couldn't be run, took too long or printed too much; `message` says what to do. */
export class GitFailure extends Schema.TaggedError<GitFailure>()("GitFailure", {
  message: Schema.String,
  cause: Schema.Defect()
}) {}

/** Time limit for one `git` command. */
const TIME_LIMIT = "5 seconds"
/** Maximum output read, in bytes; none of our commands print more in a healthy repository. */
const MAX_OUTPUT = 1024 * 1024

/** Memory limits of one `git` in KiB: allocations, and all its addresses. A hostile repository can request gigabytes. */
const MAX_ALLOCATED = 64 * 1024
const MAX_ADDRESSES = 512 * 1024
const MAX_SECONDS_OF_CPU = 10

/**
 * Node can't limit a process, so the shell sets the limits and then runs `git` in its place. Arguments aren't part of the
 * shell's program. A limit that the system doesn't support is skipped.
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

/** The shell's exit codes for a program that doesn't exist or can't be run. */
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
  /** The settings used besides the repository's; by default the owner's. */
  readonly settings?: GitSettings
  /** Variables added to those every `git` has. */
  readonly variables?: Readonly<Record<string, string>>
  /** Whether the output so far is enough; `git` is then stopped. */
  readonly isEnough?: (text: string) => boolean
}

const notRun = (cause: unknown) => new GitFailure({ message: "couldn't run git: check that it's installed", cause })

/**
 * Runs `git` with limits of time and memory, and with everything disabled that would let a repository run programs.
 * Output over the limit is a failure, because the rest isn't known.
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
    // A killed process has no exit code.
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
