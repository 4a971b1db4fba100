import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { Effect, FileSystem, Path, Stream } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { failure } from "../../../contract/failures.ts"
import { childCommand } from "../../platform/process/childCommand.ts"
import type { ConverterMissing } from "../audio/audioTool.ts"
import { ProviderFailed } from "../vendors/vendorCall.ts"
import { isSilentWav, writeRecogniserInput } from "./recogniserInput.ts"
import { type WhisperOutcome, whisperOutcome } from "./whisperAddon.ts"

/** In the sources, the program is the file next to this one; the build puts it next to the command line. */
const PROGRAM = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "./whisperProcess.ts" : "../whisperProcess.js", import.meta.url)
)

const TIME_LIMIT = "10 minutes"
const MOST_THREADS = 4
const MAX_OUTPUT = 1024 * 1024

const TOO_SLOW = new ProviderFailed(failure("RECOGNITION_TIMED_OUT", { span: TIME_LIMIT }))
const NOT_RUN = new ProviderFailed(failure("RECOGNISER_NOT_STARTED"))

const NOTHING_SAID: WhisperOutcome = { _tag: "Text", text: "" }

const runProgram = Effect.fnUntraced(
  function* (model: string, wav: string, language: string) {
    const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
    const threads = Math.min(MOST_THREADS, availableParallelism())
    const command = yield* childCommand(process.execPath, [PROGRAM, model, wav, language, String(threads)], {
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

/** Recognises a recording with a local model, in separate processes. */
export const recogniseLocally = Effect.fn("recogniseLocally")(function* (options: {
  readonly ffmpeg: string
  readonly model: string
  readonly recording: string
  readonly language: string
}): Effect.fn.Return<
  WhisperOutcome,
  ProviderFailed | ConverterMissing,
  FileSystem.FileSystem | Path.Path | ChildProcessSpawner.ChildProcessSpawner
> {
  const fs = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  return yield* Effect.gen(function* () {
    const folder = yield* Effect.mapError(fs.makeTempDirectoryScoped({ prefix: "agent-console-" }), () => NOT_RUN)
    const wav = paths.join(folder, "recording.wav")
    yield* writeRecogniserInput(options.ffmpeg, options.recording, wav)
    // Models invent words for silence.
    if (yield* Effect.orElseSucceed(isSilentWav(wav), () => false)) return NOTHING_SAID
    return yield* runProgram(options.model, wav, options.language)
  }).pipe(Effect.scoped)
})
