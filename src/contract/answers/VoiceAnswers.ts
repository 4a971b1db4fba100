import type { Done } from "./AccessAnswers.ts"

/** The languages the console hears and speaks. */
export const LANGUAGES = ["en", "zh", "hi", "es", "fr", "ar", "bn", "pt", "ru", "ja", "de", "tr"] as const
export type LanguageCode = (typeof LANGUAGES)[number]

/** Whether the free provider speaks as a woman or a man. */
export type VoiceGender = "female" | "male"

/** Which providers can speak. */
export interface Speakers {
  readonly free: boolean
  readonly alias: boolean
  readonly vendor_a: boolean
}

export interface Language {
  readonly code: LanguageCode
  readonly name: string
  readonly nativeName: string
}

/** The voice language, and which providers can speak it as they are set up. */
export interface LanguageChoice {
  readonly language: LanguageCode
  readonly edgeVoiceGender: VoiceGender
  readonly supported: ReadonlyArray<Language>
  readonly providers: Speakers
}

/** What can be spoken and heard in a language. */
export interface LanguageSupport extends Language {
  readonly edgeTtsVoices: Readonly<Record<VoiceGender, string>>
  readonly stt: { readonly local: boolean; readonly vendor_a: boolean }
  readonly tts: Speakers
}

/** Identifiers of the local speech models. */
export const STT_MODELS = ["tiny", "base", "small", "tiny.en", "base.en", "small.en"] as const
export type SttModelId = (typeof STT_MODELS)[number]

/** A model as people choose it. */
export interface AvailableModel {
  readonly size: string
  readonly ready: boolean
  readonly multilingual: boolean
}

/** A download that runs, or that failed last. */
export interface ModelDownload {
  readonly model: SttModelId
  readonly status: "downloading" | "verifying" | "failed"
  readonly receivedBytes: number
  readonly totalBytes: number
  /** 0 to 100, whole. */
  readonly percent: number
  /** Why it failed and what to do. */
  readonly error?: string
}

/** Who recognises, by which model, and which models are there. */
export interface SttConfig {
  readonly provider: "local" | "vendor_a"
  readonly model: SttModelId
  readonly language: LanguageCode
  readonly modelReady: boolean
  readonly openaiKeySet: boolean
  readonly replicateKeySet: boolean
  readonly hasGpu: boolean
  readonly availableModels: Readonly<Record<SttModelId, AvailableModel>>
  readonly download: ModelDownload | null
}

/** Voices and manner of speaking; an empty `free.voice` follows language and gender. */
export interface TtsConfig {
  readonly alias: {
    readonly mode?: string
    readonly language?: string
    readonly speaker?: string
    readonly voiceDescription?: string
    readonly styleInstruction?: string
  }
  readonly vendor_a: { readonly model?: string; readonly voice?: string; readonly instructions?: string }
  readonly free: { readonly voice?: string }
}

/** Who can speak, by the names of the interface. */
export const SPEAKERS = ["vendor_a", "vendor_b", "free", "alias"] as const
export type SpeakerId = (typeof SPEAKERS)[number]

/** A service of speech, as far as people have to know it before they use it. */
export interface VoiceService {
  /** What people know it as: a company, or else its host. */
  readonly name: string
  /** Whether something is sent to, or comes from, another machine than the console's. */
  readonly isOnline: boolean
  /** Whether it can't be used for that, since the demo stays on its machine. */
  readonly isOff: boolean
}

/** Where texts and recordings would go, and where speech models come from. */
export interface VoiceReach {
  /** Who speaks if no provider is named. */
  readonly automatic: SpeakerId
  readonly speakers: Readonly<Record<SpeakerId, VoiceService>>
  /** Where the models of local recognition are downloaded from. */
  readonly models: VoiceService
  /** Who gets recordings if they aren't recognised on the console's machine. */
  readonly recogniser: VoiceService
}

/** Words that steer hands-free listening. */
export interface PhraseSet {
  readonly stopPhrases: ReadonlyArray<string>
  readonly cancelPhrases: ReadonlyArray<string>
  readonly wakePhrases: ReadonlyArray<string>
}

/** The phrases of one language alone, and where they come from. */
export interface OwnPhrases extends PhraseSet {
  readonly source: "custom" | "defaults" | "none"
}

/** Speaking and listening. */
export interface VoiceAnswers {
  readonly "GET /api/voice": VoiceReach
  readonly "GET /api/language": LanguageChoice
  readonly "PUT /api/language": LanguageChoice
  readonly "GET /api/language/support": {
    readonly languages: ReadonlyArray<LanguageSupport>
    readonly currentModel: SttModelId
    readonly isMultilingual: boolean
  }
  readonly "GET /api/voice-phrases": PhraseSet
  readonly "GET /api/voice-phrases/status": {
    readonly [language: string]: { readonly configured: boolean; readonly hasDefaults: boolean }
  }
  readonly "GET /api/voice-phrases/:lang": OwnPhrases
  readonly "PUT /api/voice-phrases/:lang": Done & { readonly lang: string } & OwnPhrases
  readonly "GET /api/tts/config": TtsConfig
  readonly "PUT /api/tts/config": TtsConfig
  readonly "POST /api/transcribe": { readonly text: string }
  readonly "GET /api/transcribe/config": SttConfig
  readonly "PUT /api/transcribe/config": SttConfig
}
