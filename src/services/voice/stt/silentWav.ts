import { Effect, FileSystem, Path, Stream } from "effect"
import { createSoundMeter } from "../../../contract/silence.ts"
import { RATE } from "../audio/wav.ts"
import { writeRecogniserInput } from "./recogniserInput.ts"

/** Longer than any header of the recogniser's input, and too few samples to be audible. */
const HEADER = 128
const FULL_SCALE = 0x8000
/** The time limit of the check before a hosted recognition. */
const PATIENCE = "10 seconds"

/** Whether the recogniser's input, 16 kHz mono WAV with 16 bits, is silent; read in chunks. */
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

/** Whether a recording is silent; false if it can't be read or converted in time, so that the recogniser decides. */
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
