import { Context, Effect, FileSystem, Layer, type Path, Result, Schema, Semaphore } from "effect"
import type { ChildProcessSpawner } from "effect/process"
import { failure } from "../../../contract/failures.ts"
import { failureFields } from "../../../contract/schema/failure.ts"
import type { SttModelId } from "../../../contract/schema/voice.ts"
import { outgoingHttp } from "../../platform/outgoing/OutgoingHttp.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import type { ConverterMissing } from "../audio/audioTool.ts"
import { VoiceLanguage } from "../language/VoiceLanguage.ts"
import { ProviderBusy, ProviderFailed } from "../vendors/vendorCall.ts"
import { NO_DOWNLOAD, SttModels } from "./SttModels.ts"
import { isMultilingual, MODEL_SIZES, SttSettings } from "./SttSettings.ts"
import type { HostedRecording } from "./vendorRecogniser.ts"

/** Accepted audio types with their file extensions. */
const ENDINGS: ReadonlyMap<string, string> = new Map([
  ["audio/webm", "webm"],
  ["audio/mp3", "mp3"],
  ["audio/mpeg", "mp3"],
  ["audio/mp4", "mp4"],
  ["audio/m4a", "m4a"],
  ["audio/wav", "wav"],
  ["audio/x-wav", "wav"],
  ["audio/ogg", "ogg"],
  ["audio/flac", "flac"],
  ["audio/x-flac", "flac"]
])

/** The file type isn't accepted. */
export class UnsupportedAudio extends Schema.TaggedError<UnsupportedAudio>()("UnsupportedAudio", {}) {}

/** The file is empty. */
export class EmptyRecording extends Schema.TaggedError<EmptyRecording>()("EmptyRecording", {}) {}

/** The file is larger than `MAX_RECORDING_BYTES`. */
export class RecordingTooLarge extends Schema.TaggedError<RecordingTooLarge>()("RecordingTooLarge", {}) {}

/** Largest recording. */
const MAX_RECORDING_BYTES = 12 * 1024 * 1024

/** A recording to recognise, as a file. */
interface Recording {
  readonly path: string
  /** As sent, such as `audio/webm;codecs=opus`. */
  readonly contentType: string
}

/** Type and file ending of a recording; parameters and case don't matter. */
const audioType = (
  contentType: string
): Result.Result<{ readonly type: string; readonly ending: string }, UnsupportedAudio> => {
  const type = (contentType.split(";")[0] ?? "").trim().toLowerCase()
  const ending = ENDINGS.get(type)
  return ending === undefined ? Result.fail(new UnsupportedAudio()) : Result.succeed({ type, ending })
}

/** A recogniser's annotations of silence. */
const SILENCE = /[[(]\s*(blank_audio|blank audio|silence|no audio|inaudible)\s*[\])]/gi

/** Returns the words in one line, without the recogniser's annotations. */
const cleanText = (text: string): string => text.replace(SILENCE, " ").replace(/\s+/g, " ").trim()

/** The local model isn't installed; `message` says what happens next. */
export class ModelNotReady extends Schema.TaggedError<ModelNotReady>()("ModelNotReady", failureFields) {}

export type TranscriptionError =
  | RecordingTooLarge
  | UnsupportedAudio
  | EmptyRecording
  | ModelNotReady
  | ConverterMissing
  | ProviderBusy
  | ProviderFailed

export interface TranscriptionShape {
  /** Transcribes a recording in the voice language. */
  readonly transcribe: (recording: Recording) => Effect.Effect<string, TranscriptionError>
}

type Platform = FileSystem.FileSystem | Path.Path | ChildProcessSpawner.ChildProcessSpawner

/** Recordings processed at once: one locally, since it uses all processors, and several at the vendor. */
const AT_ONCE = { local: 1, vendor_a: 4 } as const
/** Recordings in progress or waiting; beyond that, requests are rejected. */
const MOST_WAITING = 64
const RETRY_AFTER_S = 10

const BUSY = new ProviderBusy({
  ...failure("TOO_MANY_RECORDINGS", { seconds: RETRY_AFTER_S }),
  retryAfter: RETRY_AFTER_S
})
const NO_PROGRAM = new ProviderFailed(failure("RECOGNITION_UNAVAILABLE"))
const NOT_COMING = new ProviderFailed(NO_DOWNLOAD)
const FAILED = new ProviderFailed(failure("RECOGNISER_FAILED"))

const notReady = (model: SttModelId) =>
  new ModelNotReady(failure("MODEL_DOWNLOADING", { model, size: MODEL_SIZES[model] }))

const damaged = (model: SttModelId) => new ModelNotReady(failure("MODEL_DAMAGED", { model }))

/** Speech-to-text, with a local model or vendor_a. */
export class Transcription extends Context.Service<Transcription, TranscriptionShape>()(
  "agent-console/services/voice/stt/Transcription"
) {
  static readonly layer = Layer.effect(
    Transcription,
    Effect.gen(function* () {
      const settings = yield* Settings
      const language = yield* VoiceLanguage
      const stt = yield* SttSettings
      const models = yield* SttModels
      const client = yield* outgoingHttp
      const platform = yield* Effect.context<Platform>()
      const fs = yield* FileSystem.FileSystem
      const places = {
        local: yield* Semaphore.make(AT_ONCE.local),
        vendor_a: yield* Semaphore.make(AT_ONCE.vendor_a)
      }
      let waiting = 0

      /** Runs the work when its turn comes; rejects it if too many are waiting. */
      const inTurn = <A, E, R>(provider: keyof typeof places, work: Effect.Effect<A, E, R>) =>
        Effect.suspend((): Effect.Effect<A, E | ProviderBusy, R> => {
          if (waiting >= MOST_WAITING) return Effect.fail(BUSY)
          waiting += 1
          return places[provider].withPermit(work).pipe(
            Effect.ensuring(
              Effect.sync(() => {
                waiting -= 1
              })
            )
          )
        })

      const locally = Effect.fnUntraced(function* (model: SttModelId, recording: string, code: string) {
        if (!(yield* models.isReady(model))) {
          if (!models.canDownload) return yield* NOT_COMING
          yield* models.ensure(model)
          return yield* notReady(model)
        }
        const { recogniseLocally } = yield* Effect.promise(() => import("./localRecogniser.ts"))
        const modelPath = models.pathOf(model)
        const ffmpeg = settings.ffmpegCommand
        const outcome = yield* recogniseLocally({
          ffmpeg,
          model: modelPath,
          recording,
          language: isMultilingual(model) ? code : "en"
        })
        switch (outcome._tag) {
          case "Text":
            return outcome.text
          case "NoProgram":
            return yield* NO_PROGRAM
          case "Failed":
            return yield* FAILED
          case "BadModel":
            yield* models.discard(model)
            yield* models.ensure(model)
            return yield* damaged(model)
        }
      })

      const hosted = Effect.fnUntraced(function* (recording: HostedRecording) {
        const { recogniseByVendor } = yield* Effect.promise(() => import("./vendorRecogniser.ts"))
        const { isSilentRecording } = yield* Effect.promise(() => import("./recogniserInput.ts"))
        // Models invent words for silence.
        if (yield* isSilentRecording(settings.ffmpegCommand, recording.path)) return ""
        return yield* recogniseByVendor(client, settings, recording)
      })

      const transcribe = Effect.fn("Transcription.transcribe")(function* ({ path, contentType }: Recording) {
        const audio = yield* Effect.fromResult(audioType(contentType))
        const size = yield* fs.stat(path).pipe(
          Effect.map((info) => Number(info.size)),
          Effect.orElseSucceed(() => 0)
        )
        if (size > MAX_RECORDING_BYTES) return yield* new RecordingTooLarge()
        if (size === 0) return yield* new EmptyRecording()
        const { provider, model } = yield* stt.get
        const code = (yield* language.get).language
        const work = provider === "local" ? locally(model, path, code) : hosted({ path, ...audio, language: code })
        const text: string = yield* inTurn<string, TranscriptionError, Platform>(provider, work)
        return cleanText(text)
      }, Effect.provideContext(platform))

      return Transcription.of({ transcribe })
    })
  )
}
