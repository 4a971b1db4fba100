import { fieldsOf, filledText, listOf, numberOf, recordOf, textOf } from "../decode.ts"

/** A language people can choose. */
export interface VoiceLanguageOption {
  readonly code: string
  readonly name: string
  readonly nativeName: string
}

/** The voice language of the console's server, and who can speak it. */
export interface LanguageSetup {
  readonly language: string
  readonly gender: "female" | "male"
  readonly supported: ReadonlyArray<VoiceLanguageOption>
  readonly speakers: Readonly<Record<"free" | "alias" | "vendor_a", boolean>>
}

/** A speech model of the server. */
export interface ModelOption {
  readonly id: string
  readonly size: string
  readonly ready: boolean
  readonly multilingual: boolean
}

/** A download that runs or that failed. */
export interface Download {
  readonly model: string
  readonly status: "downloading" | "verifying" | "failed"
  readonly percent: number
  readonly error: string | null
}

/** Who turns speech into words. */
export interface SttSetup {
  readonly provider: "local" | "vendor_a"
  readonly model: string
  readonly modelReady: boolean
  readonly vendorAKey: boolean
  readonly vendorBKey: boolean
  readonly models: ReadonlyArray<ModelOption>
  readonly download: Download | null
}

/** Values of the speech configuration that people change here. */
export interface TtsSetup {
  readonly vendorAVoice: string
  readonly aliasSpeaker: string
  readonly freeVoice: string
}

/** The phrases of one language, as they are in force. */
export interface PhraseSetup {
  readonly wakePhrases: ReadonlyArray<string>
  readonly stopPhrases: ReadonlyArray<string>
  readonly cancelPhrases: ReadonlyArray<string>
}

const isTrue = (value: unknown) => value === true

export const decodeLanguage = (body: unknown): LanguageSetup | null => {
  const { language, edgeVoiceGender, supported, providers } = fieldsOf(body)
  const code = filledText(language)
  if (code === null) return null
  const { free, alias, vendor_a } = fieldsOf(providers)
  return {
    language: code,
    gender: edgeVoiceGender === "male" ? "male" : "female",
    supported: listOf(supported).flatMap((entry) => {
      const fields = fieldsOf(entry)
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
  const fields = recordOf(body)
  const model = filledText(fields?.model)
  const status = fields?.status
  if (fields === null || model === null) return null
  if (status !== "downloading" && status !== "verifying" && status !== "failed") return null
  const percent = Math.min(100, Math.max(0, numberOf(fields.percent) ?? 0))
  return { model, status, percent, error: filledText(fields.error) }
}

export const decodeStt = (body: unknown): SttSetup | null => {
  const fields = recordOf(body)
  const model = filledText(fields?.model)
  if (fields === null || model === null) return null
  return {
    provider: fields.provider === "vendor_a" ? "vendor_a" : "local",
    model,
    modelReady: isTrue(fields.modelReady),
    vendorAKey: isTrue(fields.openaiKeySet),
    vendorBKey: isTrue(fields.replicateKeySet),
    models: Object.entries(fieldsOf(fields.availableModels)).map(([id, entry]) => {
      const { size, ready, multilingual } = fieldsOf(entry)
      return { id, size: textOf(size) ?? "", ready: isTrue(ready), multilingual: multilingual !== false }
    }),
    download: decodeDownload(fields.download)
  }
}

export const decodeTts = (body: unknown): TtsSetup | null => {
  const fields = recordOf(body)
  if (fields === null) return null
  return {
    vendorAVoice: textOf(fieldsOf(fields.vendor_a).voice) ?? "",
    aliasSpeaker: textOf(fieldsOf(fields.alias).speaker) ?? "",
    freeVoice: textOf(fieldsOf(fields.free).voice) ?? ""
  }
}

const texts = (value: unknown) => listOf(value).flatMap((entry) => textOf(entry) ?? [])

export const decodePhrases = (body: unknown): PhraseSetup | null => {
  const fields = recordOf(body)
  return fields === null
    ? null
    : {
        wakePhrases: texts(fields.wakePhrases),
        stopPhrases: texts(fields.stopPhrases),
        cancelPhrases: texts(fields.cancelPhrases)
      }
}
