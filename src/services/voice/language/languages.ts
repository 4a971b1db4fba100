import type { LanguageCode, VoiceGender } from "../../../contract/schema/voice.ts"

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
