import { Effect, FileSystem, Path, Result, Stream } from "effect"
import { failure } from "../../../contract/failures.ts"
import { createSoundMeter } from "../../../contract/silence.ts"
import { type AudioFormat, audioFormat, convertFile, FORMAT_BYTES, UNREADABLE } from "../audio/audioTool.ts"
import { LONGEST_S, RATE, readWav, type WavSound, wavHeader } from "../audio/wav.ts"
import { ProviderFailed } from "../vendors/vendorCall.ts"

const BYTES_PER_SECOND = RATE * 2
/** Samples computed at once: a few milliseconds of work. */
const PIECE = RATE * 10

const TOO_LONG = new ProviderFailed(failure("RECORDING_TOO_LONG"))
const NOT_WRITTEN = new ProviderFailed(failure("RECOGNISER_NOT_STARTED"))

const firstBytes = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* Stream.mkUint8Array(fs.stream(path, { bytesToRead: FORMAT_BYTES }))
})

const converted = Effect.fnUntraced(function* (ffmpeg: string, format: AudioFormat, input: string, output: string) {
  const fs = yield* FileSystem.FileSystem
  const from = ["-f", format, "-i", input, "-map", "0:a:0", "-t", String(LONGEST_S + 1)]
  // The recogniser needs at least a second, so shorter recordings are padded with silence.
  const to = ["-af", "apad=whole_dur=1", "-ac", "1", "-ar", String(RATE), "-c:a", "pcm_s16le", "-f", "wav"]
  yield* convertFile(ffmpeg, [...from, ...to, output])
  const { size } = yield* Effect.mapError(fs.stat(output), () => UNREADABLE)
  if (size > BYTES_PER_SECOND * (LONGEST_S + 0.5)) return yield* TOO_LONG
})

const written = Effect.fnUntraced(
  function* (sound: WavSound, output: string) {
    const fs = yield* FileSystem.FileSystem
    const file = yield* fs.open(output, { flag: "w" })
    yield* file.writeAll(wavHeader(sound.length))
    for (let at = 0; at < sound.length; at += PIECE) yield* file.writeAll(sound.pcm(at, at + PIECE))
  },
  Effect.scoped,
  Effect.mapError(() => NOT_WRITTEN)
)

/**
 * Writes a recording as 16 kHz mono WAV, as the recogniser needs it. Only the format identified by the first bytes is
 * tried. WAV needs no converter unless its samples are coded in an unusual way.
 */
export const writeRecogniserInput = Effect.fn("writeRecogniserInput")(function* (
  ffmpeg: string,
  input: string,
  output: string
) {
  const fs = yield* FileSystem.FileSystem
  const format = audioFormat(yield* Effect.mapError(firstBytes(input), () => UNREADABLE))
  if (format === undefined) return yield* UNREADABLE
  if (format !== "wav") return yield* converted(ffmpeg, format, input, output)
  const sound = readWav(yield* Effect.mapError(fs.readFile(input), () => UNREADABLE))
  if (Result.isSuccess(sound)) return yield* written(sound.success, output)
  switch (sound.failure) {
    case "unreadable":
      return yield* UNREADABLE
    case "too long":
      return yield* TOO_LONG
    case "other coding":
      return yield* converted(ffmpeg, format, input, output)
  }
})

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
