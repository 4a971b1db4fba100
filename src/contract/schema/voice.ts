import { Schema } from "effect"
import { done, oneOf } from "./fields.ts"

/** The languages the console hears and speaks. */
export const LANGUAGES = ["en", "zh", "hi", "es", "fr", "ar", "bn", "pt", "ru", "ja", "de", "tr"] as const
export const LanguageCode = oneOf(LANGUAGES)
export type LanguageCode = typeof LanguageCode.Type

/** The gender of the free provider's voice. */
export const VoiceGender = Schema.Literals(["female", "male"]).annotate({ message: "must be one of: female, male" })
export type VoiceGender = typeof VoiceGender.Type

/** Which providers can speak. */
const Speakers = Schema.Struct({ free: Schema.Boolean, alias: Schema.Boolean, vendor_a: Schema.Boolean })
export type Speakers = typeof Speakers.Type

const Language = Schema.Struct({ code: LanguageCode, name: Schema.String, nativeName: Schema.String })
export type Language = typeof Language.Type

/** The voice language, and which providers can speak it as they are set up. */
export const LanguageChoice = Schema.Struct({
  language: LanguageCode,
  edgeVoiceGender: VoiceGender,
  supported: Schema.Array(Language),
  providers: Speakers
})
export type LanguageChoice = typeof LanguageChoice.Type

/** Identifiers of the local speech models. */
export const SttModelId = oneOf(["tiny", "base", "small", "tiny.en", "base.en", "small.en"])
export type SttModelId = typeof SttModelId.Type

/** What can be spoken and heard in each language. */
export const LanguageSupport = Schema.Struct({
  languages: Schema.Array(
    Schema.Struct({
      ...Language.fields,
      edgeTtsVoices: Schema.Struct({ female: Schema.String, male: Schema.String }),
      stt: Schema.Struct({ local: Schema.Boolean, vendor_a: Schema.Boolean }),
      tts: Speakers
    })
  ),
  currentModel: SttModelId,
  isMultilingual: Schema.Boolean
})

/** The provider of speech recognition. */
export const SttProvider = Schema.Literals(["local", "vendor_a"]).annotate({
  message: "must be one of: local, vendor_a"
})
export type SttProvider = typeof SttProvider.Type

/** A model as people choose it. */
const AvailableModel = Schema.Struct({ size: Schema.String, ready: Schema.Boolean, multilingual: Schema.Boolean })
export type AvailableModel = typeof AvailableModel.Type

const download = {
  model: SttModelId,
  receivedBytes: Schema.Finite,
  totalBytes: Schema.Finite,
  /** 0 to 100, whole. */
  percent: Schema.Finite,
  /** Why it failed and what to do. */
  error: Schema.optionalKey(Schema.String)
}

/** A download that runs, or that failed last. */
const ModelDownload = Schema.Struct({ ...download, status: Schema.Literals(["downloading", "verifying", "failed"]) })
export type ModelDownload = typeof ModelDownload.Type

/** Data of `stt.download`: a download, or that it is done. */
export const DownloadChange = Schema.Struct({
  ...download,
  status: Schema.Literals(["downloading", "verifying", "failed", "done"])
})
export type DownloadChange = typeof DownloadChange.Type

/** Who recognises, by which model, and which models are there. */
export const SttConfig = Schema.Struct({
  provider: SttProvider,
  model: SttModelId,
  language: LanguageCode,
  modelReady: Schema.Boolean,
  openaiKeySet: Schema.Boolean,
  replicateKeySet: Schema.Boolean,
  hasGpu: Schema.Boolean,
  availableModels: Schema.Record(SttModelId, AvailableModel),
  download: Schema.NullOr(ModelDownload)
})
export type SttConfig = typeof SttConfig.Type

export const Transcript = Schema.Struct({ text: Schema.String })
export type Transcript = typeof Transcript.Type

/** Characters of one value of the speech configuration. */
export const MAX_TTS_VALUE = 2000
const Value = Schema.optionalKey(Schema.String.check(Schema.isMaxLength(MAX_TTS_VALUE)))

/**
 * Sections and keys of the speech configuration. An empty string restores a key's default; an empty `free.voice`
 * follows language and gender.
 */
export const TtsConfig = Schema.Struct({
  alias: Schema.Struct({
    mode: Value,
    language: Value,
    speaker: Value,
    voiceDescription: Value,
    styleInstruction: Value
  }),
  vendor_a: Schema.Struct({ model: Value, voice: Value, instructions: Value }),
  free: Schema.Struct({ voice: Value })
})
export type TtsConfig = typeof TtsConfig.Type

/** Who can speak, by the names of the interface. */
export const TtsProvider = oneOf(["vendor_a", "vendor_b", "free", "alias"])
export type TtsProvider = typeof TtsProvider.Type

/** A service of speech, as far as people have to know it before they use it. */
const VoiceService = Schema.Struct({
  /** What people know it as: a company, or else its host. */
  name: Schema.String,
  /** Whether something is sent to, or comes from, another machine than the console's. */
  isOnline: Schema.Boolean,
  /** Whether it can't be used for that, since the demo stays on its machine. */
  isOff: Schema.Boolean
})
export type VoiceService = typeof VoiceService.Type

/** Where texts and recordings would go, and where speech models come from. */
export const VoiceReach = Schema.Struct({
  /** Who speaks if no provider is named. */
  automatic: TtsProvider,
  speakers: Schema.Record(TtsProvider, VoiceService),
  /** Where the models of local recognition are downloaded from. */
  models: VoiceService,
  /** Who gets recordings if they aren't recognised on the console's machine. */
  recogniser: VoiceService
})
export type VoiceReach = typeof VoiceReach.Type

const Phrases = Schema.Array(Schema.String)

/** Words that control hands-free listening: they send a recording, discard it, or begin one. */
export const PhraseSet = Schema.Struct({ stopPhrases: Phrases, cancelPhrases: Phrases, wakePhrases: Phrases })
export type PhraseSet = typeof PhraseSet.Type

/** The phrases of one language alone, and where they come from. */
export const OwnPhrases = Schema.Struct({
  source: Schema.Literals(["custom", "defaults", "none"]),
  ...PhraseSet.fields
})
export const SavedPhrases = Schema.Struct({ ...done, lang: Schema.String, ...OwnPhrases.fields })

export const PhraseStatus = Schema.Record(
  Schema.String,
  Schema.Struct({ configured: Schema.Boolean, hasDefaults: Schema.Boolean })
)
