import { Effect, Schema, Stream } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { failureOf } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"
import { failureFields } from "../../../contract/schema/failure.ts"
import { childCommand } from "../../platform/process/childCommand.ts"
import { ProviderFailed } from "../vendors/vendorErrors.ts"

/** First arguments: no prompts, no banner, and no URLs or playlists inside a file. */
const QUIET = ["-nostdin", "-hide_banner", "-loglevel", "error", "-protocol_whitelist", "file,pipe"]

/** How long one conversion may take before it is killed. */
const TIME_LIMIT = "60 seconds"

/** The audio must be converted, and the converter isn't installed. */
export class ConverterMissing extends Schema.TaggedError<ConverterMissing>()("ConverterMissing", failureFields) {}

const MISSING = new ConverterMissing(failure("FFMPEG_MISSING"))
const TOO_SLOW = new ProviderFailed(failure("FFMPEG_TIMED_OUT", { span: TIME_LIMIT }))

/** The audio isn't what it claims to be. */
export const UNREADABLE = new ProviderFailed(failure("AUDIO_UNREADABLE"))

type Output = "ignore" | "pipe"

const spawnTool = Effect.fnUntraced(function* (
  program: string,
  args: ReadonlyArray<string>,
  stdin: "ignore" | Stream.Stream<Uint8Array>,
  stdout: Output
) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const command = yield* childCommand(program, [...QUIET, ...args], {
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

/** Runs the converter on files; fails with a message if it's missing, hangs or can't read the audio. */
export const convertFile = Effect.fn("convertFile")(
  function* (program: string, args: ReadonlyArray<string>) {
    yield* succeeded(yield* spawnTool(program, args, "ignore", "ignore"))
  },
  Effect.scoped,
  inTime
)

const TO_MP3 = ["-i", "pipe:0", "-f", "mp3", "-b:a", "64k", "pipe:1"]

/** Converts audio of any format to MP3. */
export const convertToMp3 = Effect.fn("convertToMp3")(
  function* (program: string, audio: Uint8Array) {
    const child = yield* spawnTool(program, TO_MP3, Stream.make(audio), "pipe")
    const converted = yield* Stream.mkUint8Array(child.stdout).pipe(Effect.mapError(() => UNREADABLE))
    yield* succeeded(child)
    return converted
  },
  Effect.scoped,
  inTime,
  Effect.catchTag("ConverterMissing", (missing) => Effect.fail(new ProviderFailed(failureOf(missing))))
)
