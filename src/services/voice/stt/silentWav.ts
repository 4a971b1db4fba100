import { Effect, FileSystem, Path, Stream } from "effect"
import { createSoundMeter } from "../../../contract/silence.ts"
import { RATE } from "../audio/wav.ts"
import { writeRecogniserInput } from "./recogniserInput.ts"

/** Longer than any header that the recogniser's input has; so many samples are less than a click. */
const HEADER = 128
const FULL_SCALE = 0x8000
/** Whoever recognises elsewhere waits no longer than this for what it's only worth. */
const PATIENCE = "10 seconds"

/** Whether the recogniser's input, 16 kHz mono WAV with 16 bits, is silent; read piece by piece. */
export const isSilentWav = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const meter = createSoundMeter(RATE)
  let half: number | undefined
  yield* Stream.runForEach(fs.stream(path, { offset: HEADER }), (bytes) =>
    Effect.sync(() => {
      for (const byte of bytes) {
        if (half === undefined) half = byte
        else {
          meter.add((((half | (byte << 8)) << 16) >> 16) / FULL_SCALE)
          half = undefined
        }
      }
    })
  )
  return meter.isSilent()
})

/** Whether a recording is silent. What can't be read or converted here, or not soon, is for its recogniser to judge. */
export const isSilentRecording = Effect.fn("isSilentRecording")(function* (ffmpeg: string, recording: string) {
  const fs = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  return yield* Effect.gen(function* () {
    const wav = paths.join(yield* fs.makeTempDirectoryScoped({ prefix: "agent-console-" }), "recording.wav")
    yield* writeRecogniserInput(ffmpeg, recording, wav)
    return yield* isSilentWav(wav)
  }).pipe(
    Effect.scoped,
    Effect.timeout(PATIENCE),
    Effect.orElseSucceed(() => false)
  )
})
