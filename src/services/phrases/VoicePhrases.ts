import { Context, Effect, Layer } from "effect"
import { makeJsonFile } from "../files/jsonFile.ts"
import type { StorageFailure } from "../files/StorageFailure.ts"
import { LANGUAGE_FACTS } from "../language/languages.ts"
import { VoiceLanguage } from "../language/VoiceLanguage.ts"
import { Settings } from "../settings/Settings.ts"
import { NO_PHRASES, type PhraseChange, PhraseFile, type PhraseSet, withEnglish } from "./phraseRules.ts"

/** The phrases of one language and where they are from. */
export interface LanguagePhrases extends PhraseSet {
  readonly source: "custom" | "defaults" | "none"
}

/** Whether a language has own phrases and phrases of ours. */
export interface PhraseStatus {
  readonly configured: boolean
  readonly hasDefaults: boolean
}

export interface VoicePhrasesShape {
  /** Phrases of a language with the English ones behind them; without a code, of the present language. */
  readonly merged: (lang: string | undefined) => Effect.Effect<PhraseSet, StorageFailure>
  /** Phrases of a language alone. */
  readonly of: (lang: string) => Effect.Effect<LanguagePhrases, StorageFailure>
  /** Every language of the console and every one with own phrases. */
  readonly status: Effect.Effect<Readonly<Record<string, PhraseStatus>>, StorageFailure>
  /** Stores own phrases; arrays the change does not name stay as they are (D55). */
  readonly save: (lang: string, change: PhraseChange) => Effect.Effect<LanguagePhrases, StorageFailure>
}

/** Most starts never listen, so the words come with the first question. */
const defaults = Effect.promise(() => import("./defaultPhrases.ts")).pipe(
  Effect.map(({ DEFAULT_PHRASES }) => new Map<string, PhraseSet>(Object.entries(DEFAULT_PHRASES)))
)

/** Wake, stop and cancel phrases, with own ones in a file (SPEC "Transcription, language and voice phrases"). */
export class VoicePhrases extends Context.Service<VoicePhrases, VoicePhrasesShape>()(
  "agent-console/services/phrases/VoicePhrases"
) {
  static readonly layer = Layer.effect(
    VoicePhrases,
    Effect.gen(function* () {
      const settings = yield* Settings
      const language = yield* VoiceLanguage
      const file = yield* makeJsonFile({
        path: settings.voicePhrasesPath,
        what: "the file of voice phrases",
        schema: PhraseFile,
        empty: {}
      })

      const from = (own: PhraseFile, lang: string) =>
        Effect.map(defaults, (known): LanguagePhrases => {
          const custom = Object.hasOwn(own, lang) ? own[lang] : undefined
          const source = custom !== undefined ? "custom" : known.has(lang) ? "defaults" : "none"
          return { source, ...(known.get(lang) ?? NO_PHRASES), ...custom }
        })

      const merged = Effect.fn("VoicePhrases.merged")(function* (lang: string | undefined) {
        const own = yield* file.read
        const code = lang ?? (yield* language.get).language
        return withEnglish(yield* from(own, code), yield* from(own, "en"))
      })

      const status = Effect.map(file.read, (own) => {
        const known = new Set<string>(LANGUAGE_FACTS.map(({ code }) => code))
        const codes = [...known, ...Object.keys(own).filter((code) => !known.has(code))]
        return Object.fromEntries(
          codes.map((code) => [code, { configured: Object.hasOwn(own, code), hasDefaults: known.has(code) }])
        )
      })

      const save = Effect.fn("VoicePhrases.save")(function* (lang: string, change: PhraseChange) {
        const own = yield* file.update((all) => ({ ...all, [lang]: { ...all[lang], ...change } }))
        return yield* from(own, lang)
      })

      return VoicePhrases.of({
        merged,
        of: (lang) => Effect.flatMap(file.read, (own) => from(own, lang)),
        status,
        save
      })
    })
  )
}
