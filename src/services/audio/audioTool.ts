import { Effect, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { ProviderFailed } from "../vendors/vendorErrors.ts"

/** Arguments before all others: no questions, no banner, and no address or list in a file leads anywhere. */
const QUIET = ["-nostdin", "-hide_banner", "-loglevel", "error", "-protocol_whitelist", "file,pipe"]

/** How long one conversion may take before it is killed. */
const TIME_LIMIT = "60 seconds"

const MISSING = new ProviderFailed({
  message:
    "ffmpeg cannot be run: install it (Debian and Ubuntu: apt install ffmpeg; macOS: brew install ffmpeg) or set FFMPEG_COMMAND"
})
const TOO_SLOW = new ProviderFailed({
  message: `ffmpeg did not finish within ${TIME_LIMIT} and was stopped: try a shorter recording`
})

/** The audio cannot be read as what it says it is. */
export const UNREADABLE = new ProviderFailed({
  message: "the audio could not be read: it is damaged or of an unknown format"
})

type Output = "ignore" | "pipe"

const spawnTool = Effect.fnUntraced(function* (
  program: string,
  args: ReadonlyArray<string>,
  stdin: "ignore" | Stream.Stream<Uint8Array>,
  stdout: Output
) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const command = ChildProcess.make(program, [...QUIET, ...args], {
    stdin,
    stdout,
    stderr: "ignore",
    killSignal: "SIGKILL"
  })
  return yield* spawner.spawn(command).pipe(Effect.mapError(() => MISSING))
})

const succeeded = (child: ChildProcessSpawner.ChildProcessHandle) =>
  child.exitCode.pipe(
    Effect.mapError(() => UNREADABLE),
    Effect.filterOrFail(
      (code) => code === ChildProcessSpawner.ExitCode(0),
      () => UNREADABLE
    )
  )

const inTime = Effect.timeoutOrElse({ duration: TIME_LIMIT, orElse: () => Effect.fail(TOO_SLOW) })

/** Runs the converter on files; fails with a sentence when it is missing, hangs or cannot read the audio. */
export const convertFile = Effect.fn("convertFile")(
  function* (program: string, args: ReadonlyArray<string>) {
    yield* succeeded(yield* spawnTool(program, args, "ignore", "ignore"))
  },
  Effect.scoped,
  inTime
)

const TO_MP3 = ["-i", "pipe:0", "-f", "mp3", "-b:a", "64k", "pipe:1"]

/** Audio of any format as MP3. */
export const convertToMp3 = Effect.fn("convertToMp3")(
  function* (program: string, audio: Uint8Array) {
    const child = yield* spawnTool(program, TO_MP3, Stream.make(audio), "pipe")
    const converted = yield* Stream.mkUint8Array(child.stdout).pipe(Effect.mapError(() => UNREADABLE))
    yield* succeeded(child)
    return converted
  },
  Effect.scoped,
  inTime
)
