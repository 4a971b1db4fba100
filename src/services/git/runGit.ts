import { posix } from "node:path"
import { Effect, Schema, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { SAFE_OPTIONS } from "./gitRules.ts"

/** `git` cannot be run, or did not answer in time; `message` says what to do. */
export class GitFailure extends Schema.TaggedError<GitFailure>()("GitFailure", {
  message: Schema.String,
  cause: Schema.Defect()
}) {}

/** How long one question to `git` may take. */
const TIME_LIMIT = "5 seconds"
/** Most bytes taken of an answer; none of ours is longer in a repository that is well. */
const MAX_OUTPUT = 1024 * 1024

const environment = ({ ceilings, settings = [] }: Pick<GitRun, "ceilings" | "settings">) => ({
  LC_ALL: "C",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "",
  SSH_ASKPASS: "",
  GIT_NO_LAZY_FETCH: "1",
  GIT_CEILING_DIRECTORIES: ceilings.join(posix.delimiter),
  // A variable that is set for the console itself must not lead `git` elsewhere.
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

/** What `git` printed and whether it was content; an answer that was enough early counts as content. */
export interface GitOutput {
  readonly text: string
  readonly isOk: boolean
}

export interface GitRun {
  readonly directory: string
  readonly args: ReadonlyArray<string>
  /** Folders above which no repository is looked for. */
  readonly ceilings: ReadonlyArray<string>
  /** Settings over those of every file. */
  readonly settings?: ReadonlyArray<readonly [key: string, value: string]>
  /** Whether the output so far is enough; `git` is then stopped. */
  readonly isEnough?: (text: string) => boolean
}

/** Runs `git` without a shell, with a time limit, and with everything off by which a repository could run programs. */
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
    TimeoutError: (cause) => Effect.fail(new GitFailure({ message: "git did not answer within 5 seconds", cause })),
    PlatformError: (cause) =>
      Effect.fail(new GitFailure({ message: "git cannot be run: check that it is installed", cause }))
  })
)
