import { Effect, Schema, Stream } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { failureOf } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"
import { failureFields } from "../../../contract/schema/failure.ts"
import { childCommand } from "../../platform/process/childCommand.ts"
import { ProviderFailed } from "../vendors/vendorCall.ts"

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

/** Audio formats with a signature at the start, by the converter's name for them. */
export type AudioFormat = "mp3" | "wav" | "ogg" | "flac" | "matroska" | "mov" | "aac"

const startsWith = (bytes: Uint8Array, text: string, at = 0): boolean =>
  bytes.length >= at + text.length && [...text].every((letter, index) => bytes[at + index] === letter.charCodeAt(0))

/** How many bytes at the start identify a format. */
export const FORMAT_BYTES = 12

/** The format identified by the first bytes, if any. */
export const audioFormat = (bytes: Uint8Array): AudioFormat | undefined => {
  if (startsWith(bytes, "ID3")) return "mp3"
  if (startsWith(bytes, "RIFF") && startsWith(bytes, "WAVE", 8)) return "wav"
  if (startsWith(bytes, "OggS")) return "ogg"
  if (startsWith(bytes, "fLaC")) return "flac"
  if (startsWith(bytes, "\x1A\x45\xDF\xA3")) return "matroska"
  if (startsWith(bytes, "ftyp", 4)) return "mov"
  const [first = 0, second = 0] = bytes
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return undefined
  // The two bits of the layer are zero in AAC frames and never in those of MP3.
  return (second & 0x06) === 0 ? "aac" : "mp3"
}

const TAG_HEADER = 10
const FOOTER_FLAG = 0x10

/** Length of the ID3v2 tag at the beginning of MP3 bytes, 0 if there is none; the tag may be longer than the bytes. */
export const tagLength = (bytes: Uint8Array): number => {
  if (!startsWith(bytes, "ID3") || bytes.length < TAG_HEADER) return 0
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(6)
  const size = ((a & 0x7f) << 21) | ((b & 0x7f) << 14) | ((c & 0x7f) << 7) | (d & 0x7f)
  return TAG_HEADER + size + (((bytes[5] ?? 0) & FOOTER_FLAG) === 0 ? 0 : TAG_HEADER)
}
