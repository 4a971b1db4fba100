import type {
  AvailableModel,
  Language,
  LanguageChoice,
  ModelDownload,
  PhraseSet,
  Speakers,
  SttConfig,
  TtsConfig,
  VoiceGender
} from "../../../../src/contract/answers/VoiceAnswers.ts"
import type { DownloadChange } from "../../../../src/contract/ConsoleEvent.ts"
import { fieldsOf, filledText, listOf, numberOf, recordOf, type Shown, textOf } from "../common/decode.ts"

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

const isTrue = (value: unknown) => value === true

export const decodeLanguage = (body: unknown): LanguageSetup | null => {
  const { language, edgeVoiceGender, supported, providers } = fieldsOf<LanguageChoice>(body)
  const code = filledText(language)
  if (code === null) return null
  const { free, alias, vendor_a } = fieldsOf<Speakers>(providers)
  return {
    language: code,
    gender: edgeVoiceGender === "male" ? "male" : "female",
    supported: listOf(supported).flatMap((entry) => {
      const fields = fieldsOf<Language>(entry)
      const known = filledText(fields.code)
      const name = filledText(fields.name) ?? known
      return known === null || name === null
        ? []
        : [{ code: known, name, nativeName: filledText(fields.nativeName) ?? name }]
    }),
    speakers: { free: free !== false, alias: isTrue(alias), vendor_a: isTrue(vendor_a) }
  }
}

export const decodeDownload = (body: unknown): Download | null => {
  const fields = recordOf<DownloadChange>(body)
  const model = filledText(fields?.model)
  const status = fields?.status
  if (fields === null || model === null) return null
  if (status !== "downloading" && status !== "verifying" && status !== "failed") return null
  const percent = Math.min(100, Math.max(0, numberOf(fields.percent) ?? 0))
  return { model, status, percent, error: filledText(fields.error) }
}

export const decodeStt = (body: unknown): SttSetup | null => {
  const fields = recordOf<SttConfig>(body)
  const model = filledText(fields?.model)
  if (fields === null || model === null) return null
  return {
    provider: fields.provider === "vendor_a" ? "vendor_a" : "local",
    model,
    modelReady: isTrue(fields.modelReady),
    vendorAKey: isTrue(fields.openaiKeySet),
    vendorBKey: isTrue(fields.replicateKeySet),
    models: Object.entries(fieldsOf(fields.availableModels)).map(([id, entry]) => {
      const { size, ready, multilingual } = fieldsOf<AvailableModel>(entry)
      return { id, size: textOf(size) ?? "", ready: isTrue(ready), multilingual: multilingual !== false }
    }),
    download: decodeDownload(fields.download)
  }
}

export const decodeTts = (body: unknown): TtsSetup | null => {
  const fields = recordOf<TtsConfig>(body)
  if (fields === null) return null
  return {
    vendorAVoice: textOf(fieldsOf<TtsConfig["vendor_a"]>(fields.vendor_a).voice) ?? "",
    aliasSpeaker: textOf(fieldsOf<TtsConfig["alias"]>(fields.alias).speaker) ?? "",
    freeVoice: textOf(fieldsOf<TtsConfig["free"]>(fields.free).voice) ?? ""
  }
}

const texts = (value: unknown) => listOf(value).flatMap((entry) => textOf(entry) ?? [])

export const decodePhrases = (body: unknown): PhraseSet | null => {
  const fields = recordOf<PhraseSet>(body)
  return fields === null
    ? null
    : {
        wakePhrases: texts(fields.wakePhrases),
        stopPhrases: texts(fields.stopPhrases),
        cancelPhrases: texts(fields.cancelPhrases)
      }
}
