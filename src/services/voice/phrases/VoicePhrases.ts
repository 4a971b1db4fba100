import { Context, Effect, Layer } from "effect"
import type { PhraseSet } from "../../../contract/schema/voice.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import type { StorageFailure } from "../../platform/storage/fileErrors.ts"
import { makeJsonFile } from "../../platform/storage/jsonFile.ts"
import { LANGUAGE_FACTS, VoiceLanguage } from "../language/VoiceLanguage.ts"
import { NO_PHRASES, type PhraseChange, PhraseFile, withEnglish } from "./phraseRules.ts"

/** A language's phrases and where they come from. */
export interface LanguagePhrases extends PhraseSet {
  readonly source: "custom" | "defaults" | "none"
}

/** Whether a language has custom phrases and default ones. */
export interface PhraseStatus {
  readonly configured: boolean
  readonly hasDefaults: boolean
}

export interface VoicePhrasesShape {
  /** A language's phrases followed by the English ones; without a code, the current language's. */
  readonly merged: (lang: string | undefined) => Effect.Effect<PhraseSet, StorageFailure>
  /** One language's phrases only. */
  readonly of: (lang: string) => Effect.Effect<LanguagePhrases, StorageFailure>
  /** All supported languages, and those with custom phrases. */
  readonly status: Effect.Effect<Readonly<Record<string, PhraseStatus>>, StorageFailure>
  /** Stores custom phrases; omitted arrays are left unchanged. */
  readonly save: (lang: string, change: PhraseChange) => Effect.Effect<LanguagePhrases, StorageFailure>
}

/** Most starts never listen, so the phrases are loaded on first use. */
const defaults = Effect.promise(() => import("./defaultPhrases.ts")).pipe(
  Effect.map(({ DEFAULT_PHRASES }) => new Map<string, PhraseSet>(Object.entries(DEFAULT_PHRASES)))
)

/** Wake, stop and cancel phrases, with custom ones in a file. */
export class VoicePhrases extends Context.Service<VoicePhrases, VoicePhrasesShape>()(
  "agent-console/services/voice/phrases/VoicePhrases"
) {
  static readonly layer = Layer.effect(
    VoicePhrases,
    Effect.gen(function* () {
      const settings = yield* Settings
      const language = yield* VoiceLanguage
      const file = yield* makeJsonFile({
        path: settings.voicePhrasesPath,
        what: "the voice phrases file",
        schema: PhraseFile,
        empty: {}
      })

      const from = (stored: PhraseFile, lang: string) =>
        Effect.map(defaults, (known): LanguagePhrases => {
          const custom = Object.hasOwn(stored, lang) ? stored[lang] : undefined
          const source = custom !== undefined ? "custom" : known.has(lang) ? "defaults" : "none"
          return { source, ...(known.get(lang) ?? NO_PHRASES), ...custom }
        })

      const merged = Effect.fn("VoicePhrases.merged")(function* (lang: string | undefined) {
        const stored = yield* file.read
        const code = lang ?? (yield* language.get).language
        return withEnglish(yield* from(stored, code), yield* from(stored, "en"))
      })

      const status = Effect.map(file.read, (stored) => {
        const known = new Set<string>(LANGUAGE_FACTS.map(({ code }) => code))
        const codes = [...known, ...Object.keys(stored).filter((code) => !known.has(code))]
        return Object.fromEntries(
          codes.map((code) => [code, { configured: Object.hasOwn(stored, code), hasDefaults: known.has(code) }])
        )
      })

      const save = Effect.fn("VoicePhrases.save")(function* (lang: string, change: PhraseChange) {
        const stored = yield* file.update((all) => ({ ...all, [lang]: { ...all[lang], ...change } }))
        return yield* from(stored, lang)
      })

      return VoicePhrases.of({
        merged,
        of: (lang) => Effect.flatMap(file.read, (stored) => from(stored, lang)),
        status,
        save
      })
    })
  )
}
