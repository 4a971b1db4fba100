import type { Shown } from "../../../../src/contract/looseFields.ts"
import type {
  AvailableModel,
  DownloadChange,
  Language,
  LanguageChoice,
  ModelDownload,
  PhraseSet,
  Speakers,
  SttConfig,
  TtsConfig,
  VoiceGender
} from "../../../../src/contract/schema/voice.ts"

/** The console server's voice language, and which services can speak it. */
export interface LanguageSetup {
  readonly language: string
  readonly gender: VoiceGender
  readonly supported: ReadonlyArray<Record<keyof Language, string>>
  readonly speakers: Speakers
}

/** A speech model on the server. */
export interface ModelOption extends AvailableModel {
  readonly id: string
}

/** A running or failed download. */
export interface Download extends Shown<Pick<ModelDownload, "status" | "percent" | "error">> {
  readonly model: string
}

/** The speech recognition in use. */
export interface SttSetup {
  readonly provider: "local" | "vendor_a"
  readonly model: string
  readonly modelReady: boolean
  readonly vendorAKey: boolean
  readonly vendorBKey: boolean
  readonly models: ReadonlyArray<ModelOption>
  readonly download: Download | null
}

/** The parts of the speech configuration that people can change here. */
export interface TtsSetup {
  readonly vendorAVoice: string
  readonly aliasSpeaker: string
  readonly freeVoice: string
}

export const languageSetup = ({ edgeVoiceGender, language, providers, supported }: LanguageChoice): LanguageSetup => ({
  language,
  gender: edgeVoiceGender,
  supported,
  speakers: providers
})

/** The download that an event or the configuration tells of; null once it's done. */
export const downloadOf = (change: DownloadChange | null): Download | null =>
  change === null || change.status === "done"
    ? null
    : { model: change.model, status: change.status, percent: change.percent, error: change.error ?? null }

export const sttSetup = (stt: SttConfig): SttSetup => ({
  provider: stt.provider,
  model: stt.model,
  modelReady: stt.modelReady,
  vendorAKey: stt.openaiKeySet,
  vendorBKey: stt.replicateKeySet,
  models: Object.entries(stt.availableModels).map(([id, model]) => ({ id, ...model })),
  download: downloadOf(stt.download)
})

export const ttsSetup = ({ alias, free, vendor_a }: TtsConfig): TtsSetup => ({
  vendorAVoice: vendor_a.voice ?? "",
  aliasSpeaker: alias.speaker ?? "",
  freeVoice: free.voice ?? ""
})

export const phraseSet = ({ cancelPhrases, stopPhrases, wakePhrases }: PhraseSet): PhraseSet => ({
  wakePhrases,
  stopPhrases,
  cancelPhrases
})
