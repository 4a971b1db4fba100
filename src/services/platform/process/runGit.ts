import { posix } from "node:path"
import { Effect, Schema, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"

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

/** `git` couldn't be run or took too long; `message` says what to do. */
export class GitFailure extends Schema.TaggedError<GitFailure>()("GitFailure", {
  message: Schema.String,
  cause: Schema.Defect()
}) {}

/** Time limit for one `git` command. */
const TIME_LIMIT = "5 seconds"
/** Maximum output read, in bytes; none of our commands print more in a healthy repository. */
const MAX_OUTPUT = 1024 * 1024

const environment = ({ ceilings, settings = [] }: Pick<GitRun, "ceilings" | "settings">) => ({
  LC_ALL: "C",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "",
  SSH_ASKPASS: "",
  GIT_NO_LAZY_FETCH: "1",
  GIT_CEILING_DIRECTORIES: ceilings.join(posix.delimiter),
  // Variables set for the console itself must not point `git` elsewhere.
  GIT_DIR: undefined,
  GIT_WORK_TREE: undefined,
  GIT_INDEX_FILE: undefined,
  GIT_CONFIG_PARAMETERS: undefined,
  GIT_EXTERNAL_DIFF: undefined,
  GIT_CONFIG_COUNT: String(settings.length),
  ...Object.fromEntries(
    settings.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value]
    ])
  )
})

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
  /** Settings that override every file. */
  readonly settings?: ReadonlyArray<readonly [key: string, value: string]>
  /** Whether the output so far is enough; `git` is then stopped. */
  readonly isEnough?: (text: string) => boolean
}

/**
 * Runs `git` without a shell, with a time limit, and with everything disabled that would let a repository run programs.
 */
export const runGit = Effect.fn("runGit")(
  function* ({ directory, args, isEnough = () => false, ...run }: GitRun) {
    const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
    const child = yield* spawner.spawn(
      ChildProcess.make("git", [...SAFE_OPTIONS, ...args], {
        cwd: directory,
        env: environment(run),
        extendEnv: true,
        stdin: "ignore",
        stderr: "ignore",
        killSignal: "SIGKILL"
      })
    )
    let text = ""
    let isDone = false
    yield* child.stdout.pipe(
      Stream.decodeText(),
      Stream.takeUntil((part) => {
        text += part
        isDone = text.length > MAX_OUTPUT || isEnough(text)
        return isDone
      }),
      Stream.runDrain
    )
    const isOk = isDone || (yield* child.exitCode) === ChildProcessSpawner.ExitCode(0)
    return { text, isOk } satisfies GitOutput
  },
  Effect.scoped,
  Effect.timeout(TIME_LIMIT),
  Effect.catchTags({
    TimeoutError: (cause) => Effect.fail(new GitFailure({ message: "git didn't answer within 5 seconds", cause })),
    PlatformError: (cause) =>
      Effect.fail(new GitFailure({ message: "couldn't run git: check that it's installed", cause }))
  })
)
