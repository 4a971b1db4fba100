import { Context, Effect, Layer, Ref, Semaphore } from "effect"
import type { LanguageCode, SttModelId, VoiceGender } from "../../../contract/schema/voice.ts"
import { EnvFile } from "../../platform/settings/EnvFile.ts"
import { Settings, type SettingsShape } from "../../platform/settings/Settings.ts"
import type { StorageFailure } from "../../platform/storage/fileErrors.ts"
import { isMultilingual } from "../stt/SttSettings.ts"

/** A language with its names for people and providers. */
export interface LanguageFacts {
  readonly code: LanguageCode
  /** Its English name. */
  readonly name: string
  readonly nativeName: string
  /** Region used in the free provider's voices and documents. */
  readonly locale: string
  /** The free provider's voices. */
  readonly voices: Readonly<Record<VoiceGender, string>>
  /** The alias model's name for it; `undefined` if it doesn't speak it. */
  readonly aliasName: string | undefined
  /** Whether vendor_a's voices speak it. */
  readonly vendorASpeaks: boolean
}

const facts = (
  code: LanguageCode,
  name: string,
  nativeName: string,
  locale: string,
  [female, male]: readonly [string, string],
  aliasName: string | undefined
): LanguageFacts => ({
  code,
  name,
  nativeName,
  locale,
  voices: { female: `${locale}-${female}Neural`, male: `${locale}-${male}Neural` },
  aliasName,
  vendorASpeaks: code !== "bn"
})

const ENGLISH = facts("en", "English", "English", "en-US", ["Aria", "Guy"], "English")

/** The twelve voice languages in display order. */
export const LANGUAGE_FACTS: ReadonlyArray<LanguageFacts> = [
  ENGLISH,
  facts("zh", "Chinese", "中文", "zh-CN", ["Xiaoxiao", "Yunxi"], "Chinese"),
  facts("hi", "Hindi", "हिन्दी", "hi-IN", ["Swara", "Madhur"], undefined),
  facts("es", "Spanish", "Español", "es-ES", ["Elvira", "Alvaro"], "Spanish"),
  facts("fr", "French", "Français", "fr-FR", ["Denise", "Henri"], "French"),
  facts("ar", "Arabic", "العربية", "ar-SA", ["Zariyah", "Hamed"], undefined),
  facts("bn", "Bengali", "বাংলা", "bn-IN", ["Tanishaa", "Bashkar"], undefined),
  facts("pt", "Portuguese", "Português", "pt-BR", ["Francisca", "Antonio"], "Portuguese"),
  facts("ru", "Russian", "Русский", "ru-RU", ["Svetlana", "Dmitry"], "Russian"),
  facts("ja", "Japanese", "日本語", "ja-JP", ["Nanami", "Keita"], "Japanese"),
  facts("de", "German", "Deutsch", "de-DE", ["Katja", "Conrad"], "German"),
  facts("tr", "Turkish", "Türkçe", "tr-TR", ["Emel", "Ahmet"], undefined)
]

/** A language; an unknown one is English. */
export const factsOf = (code: string): LanguageFacts =>
  LANGUAGE_FACTS.find((language) => language.code === code) ?? ENGLISH

/** The current language and voice gender. */
export interface VoiceChoice {
  readonly language: LanguageCode
  readonly edgeVoiceGender: VoiceGender
}

export interface VoiceLanguageShape {
  readonly get: Effect.Effect<VoiceChoice>
  /** Changes take effect at once and at every later start (SVC_LANGUAGE and EDGE_VOICE_GENDER in `.env`). */
  readonly set: (change: Partial<VoiceChoice>) => Effect.Effect<VoiceChoice, StorageFailure>
}

/** The voice language, one for speaking, listening and phrases. */
export class VoiceLanguage extends Context.Service<VoiceLanguage, VoiceLanguageShape>()(
  "agent-console/services/voice/language/VoiceLanguage"
) {
  static readonly layer = Layer.effect(
    VoiceLanguage,
    Effect.gen(function* () {
      const settings = yield* Settings
      const env = yield* EnvFile
      const choice = yield* Ref.make<VoiceChoice>({
        language: factsOf(settings.language).code,
        edgeVoiceGender: settings.edgeVoiceGender
      })
      const oneByOne = yield* Semaphore.make(1)

      const set = Effect.fn("VoiceLanguage.set")(function* (change: Partial<VoiceChoice>) {
        const next = { ...(yield* Ref.get(choice)), ...change }
        yield* env.set({ SVC_LANGUAGE: next.language, EDGE_VOICE_GENDER: next.edgeVoiceGender })
        yield* Ref.set(choice, next)
        return next
      }, oneByOne.withPermit)

      return VoiceLanguage.of({ get: Ref.get(choice), set })
    })
  )
}

/** The chosen language, all available ones, and which configured providers speak it. */
export const languageState = (choice: VoiceChoice, settings: Pick<SettingsShape, "vendorAKey" | "vendorBToken">) => {
  const { aliasName, vendorASpeaks } = factsOf(choice.language)
  return {
    ...choice,
    supported: LANGUAGE_FACTS.map(({ code, name, nativeName }) => ({ code, name, nativeName })),
    providers: {
      free: true,
      alias: settings.vendorBToken !== undefined && aliasName !== undefined,
      vendor_a: settings.vendorAKey !== undefined && vendorASpeaks
    }
  }
}

/** The providers that can speak and recognise each language, with the chosen local model. */
export const languageSupport = (currentModel: SttModelId) => ({
  languages: LANGUAGE_FACTS.map(({ code, name, nativeName, voices, aliasName, vendorASpeaks }) => ({
    code,
    name,
    nativeName,
    edgeTtsVoices: voices,
    stt: { local: code === "en" || isMultilingual(currentModel), vendor_a: true },
    tts: { free: true, alias: aliasName !== undefined, vendor_a: vendorASpeaks }
  })),
  currentModel,
  isMultilingual: isMultilingual(currentModel)
})
