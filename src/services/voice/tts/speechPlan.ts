import { Result } from "effect"
import type { TtsConfig, TtsProvider } from "../../../contract/schema/voice.ts"
import type { SettingsShape } from "../../platform/settings/Settings.ts"
import { factsOf, type LanguageFacts, type VoiceChoice } from "../language/VoiceLanguage.ts"
import { type ProviderFailed, VENDOR_A, VENDOR_B, withoutKey } from "../vendors/vendorCall.ts"

/** A speech request. */
export interface SpeechRequest {
  readonly text: string
  readonly provider?: TtsProvider
  readonly voice?: string
  readonly model?: string
}

/** Everything that determines how a text sounds; equal plans mean the same audio. */
export interface SpeechPlan {
  readonly provider: TtsProvider
  /** Empty for the free provider, which has none. */
  readonly model: string
  /** Empty to let the model choose. */
  readonly voice: string
  /** Other options, by the vendor's names. */
  readonly manner: Readonly<Record<string, string>>
  readonly language: LanguageFacts
  readonly text: string
}

/** The fixed model behind `alias`. */
export const ALIAS_MODEL = "qwen/qwen3-tts"
const VENDOR_B_MODEL = "minimax/speech-02-turbo"
const ANY_LANGUAGE = "auto"

const entry = (name: string, value: string | undefined): Readonly<Record<string, string>> =>
  value === undefined || value === "" ? {} : { [name]: value }

/** The base URL of a provider. */
export const speakerAddress = (
  settings: Pick<SettingsShape, "vendorABaseUrl" | "vendorBBaseUrl" | "freeBaseUrl">,
  provider: TtsProvider
): string => {
  if (provider === "free") return settings.freeBaseUrl
  return provider === "vendor_a" ? settings.vendorABaseUrl : settings.vendorBBaseUrl
}

type Keys = Pick<SettingsShape, "vendorAKey" | "vendorBToken">

/** The provider of a request that names none. */
export const providerFor = (keys: Keys): TtsProvider => {
  if (keys.vendorAKey !== undefined) return "vendor_a"
  return keys.vendorBToken !== undefined ? "vendor_b" : "free"
}

/** Chooses provider, model and voice; fails if the requested provider has no key. */
export const speechPlan = (
  request: SpeechRequest,
  keys: Keys,
  config: TtsConfig,
  choice: VoiceChoice
): Result.Result<SpeechPlan, ProviderFailed> => {
  const provider = request.provider ?? providerFor(keys)
  const language = factsOf(choice.language)
  const common = { provider, language, text: request.text.trim() }
  const { alias, vendor_a, free } = config
  switch (provider) {
    case "vendor_a":
      return keys.vendorAKey === undefined
        ? Result.fail(withoutKey(VENDOR_A))
        : Result.succeed({
            ...common,
            model: request.model ?? vendor_a.model ?? "",
            voice: request.voice ?? vendor_a.voice ?? "",
            manner: entry("instructions", vendor_a.instructions)
          })
    case "vendor_b":
    case "alias":
      if (keys.vendorBToken === undefined) return Result.fail(withoutKey(VENDOR_B))
      return Result.succeed(
        provider === "vendor_b"
          ? { ...common, model: request.model ?? VENDOR_B_MODEL, voice: request.voice ?? "", manner: {} }
          : {
              ...common,
              model: ALIAS_MODEL,
              voice: request.voice ?? alias.speaker ?? "",
              manner: {
                ...entry("mode", alias.mode),
                language: alias.language ?? language.aliasName ?? ANY_LANGUAGE,
                ...entry("voice_description", alias.voiceDescription),
                ...entry("style_instruction", alias.styleInstruction)
              }
            }
      )
    case "free": {
      const configured = free.voice === "" ? undefined : free.voice
      const voice = request.voice ?? configured ?? language.voices[choice.edgeVoiceGender]
      return Result.succeed({ ...common, model: "", voice, manner: {} })
    }
  }
}

/** A plan's cache key. */
export const planKey = ({ provider, model, voice, manner, language, text }: SpeechPlan): string =>
  JSON.stringify([provider, model, voice, manner, language.code, text])
