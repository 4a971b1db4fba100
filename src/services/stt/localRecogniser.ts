import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { Effect, FileSystem, Path, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { audioFormat, FORMAT_BYTES } from "../audio/audioFormat.ts"
import { convertFile, UNREADABLE } from "../audio/audioTool.ts"
import { ProviderFailed } from "../vendors/vendorErrors.ts"
import { type WhisperOutcome, whisperOutcome } from "./whisperAddon.ts"

/** From the sources the program is the file beside this one; the build puts it beside the command line. */
const PROGRAM = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "./whisperProcess.ts" : "../whisperProcess.js", import.meta.url)
)

const RATE = 16_000
const BYTES_PER_SECOND = RATE * 2
const LONGEST_S = 30 * 60
const SHORTEST_S = 1
const TIME_LIMIT = "10 minutes"
const MOST_THREADS = 4
const MAX_OUTPUT = 1024 * 1024

const TOO_LONG = new ProviderFailed({ message: "the recording is longer than 30 minutes: send it in parts" })
const TOO_SLOW = new ProviderFailed({
  message: `the recognition did not finish within ${TIME_LIMIT} and was stopped: try a smaller model or a shorter recording`
})
const NOT_RUN = new ProviderFailed({ message: "the recogniser could not be started: try again" })

const firstBytes = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* Stream.mkUint8Array(fs.stream(path, { bytesToRead: FORMAT_BYTES }))
})

/** A recording as 16 kHz mono WAV, what the recogniser reads. Read as what its first bytes say it is and nothing else. */
const toWav = Effect.fnUntraced(function* (ffmpeg: string, input: string, output: string) {
  const fs = yield* FileSystem.FileSystem
  const format = audioFormat(yield* Effect.mapError(firstBytes(input), () => UNREADABLE))
  if (format === undefined) return yield* UNREADABLE
  const from = ["-f", format, "-i", input, "-map", "0:a:0", "-t", String(LONGEST_S + 1)]
  // The recogniser wants a second at least; a shorter word gets silence behind it.
  const to = ["-af", `apad=whole_dur=${SHORTEST_S}`, "-ac", "1", "-ar", String(RATE), "-c:a", "pcm_s16le", "-f", "wav"]
  yield* convertFile(ffmpeg, [...from, ...to, output])
  const { size } = yield* Effect.mapError(fs.stat(output), () => UNREADABLE)
  if (size > BYTES_PER_SECOND * (LONGEST_S + 0.5)) return yield* TOO_LONG
})

const runProgram = Effect.fnUntraced(
  function* (model: string, wav: string, language: string) {
    const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
    const threads = Math.min(MOST_THREADS, availableParallelism())
    const command = ChildProcess.make(process.execPath, [PROGRAM, model, wav, language, String(threads)], {
      stdin: "ignore",
      stderr: "ignore",
      killSignal: "SIGKILL"
    })
    const child = yield* spawner.spawn(command)
    let output = ""
    yield* child.stdout.pipe(
      Stream.decodeText(),
      Stream.takeUntil((part) => {
        output += part
        return output.length > MAX_OUTPUT
      }),
      Stream.runDrain
    )
    return whisperOutcome(output)
  },
  Effect.scoped,
  Effect.mapError(() => NOT_RUN),
  Effect.timeoutOrElse({ duration: TIME_LIMIT, orElse: () => Effect.fail(TOO_SLOW) })
)

/** Recognises a recording by a model of this machine, in processes of their own (D70). */
export const recogniseLocally = Effect.fn("recogniseLocally")(function* (options: {
  readonly ffmpeg: string
  readonly model: string
  readonly recording: string
  readonly language: string
}): Effect.fn.Return<
  WhisperOutcome,
  ProviderFailed,
  FileSystem.FileSystem | Path.Path | ChildProcessSpawner.ChildProcessSpawner
> {
  const fs = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  return yield* Effect.gen(function* () {
    const folder = yield* Effect.mapError(fs.makeTempDirectoryScoped({ prefix: "agent-console-" }), () => NOT_RUN)
    const wav = paths.join(folder, "recording.wav")
    yield* toWav(options.ffmpeg, options.recording, wav)
    return yield* runProgram(options.model, wav, options.language)
  }).pipe(Effect.scoped)
})
