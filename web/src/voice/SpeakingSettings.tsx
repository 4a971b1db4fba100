import { $, component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { say } from "../core/language/say.ts"
import type { VoiceSetup } from "../core/voice/VoiceSetup.ts"
import type { VoicePreferences } from "../core/voice/voicePreferences.ts"
import { Field } from "../ui/Field.tsx"
import { Select } from "../ui/Select.tsx"
import { unlockAudio } from "./playAudio.ts"
import { voiceServices } from "./voiceServices.ts"

type Provider = VoicePreferences["provider"]

const PROVIDERS: ReadonlyArray<{ readonly value: NonNullable<Provider>; readonly label: string }> = [
  { value: "free", label: say("Free voices (no key)") },
  { value: "vendor_a", label: say("OpenAI or compatible") },
  { value: "vendor_b", label: "Replicate" },
  { value: "alias", label: say("Qwen3 on Replicate") }
]

const SAMPLES: Readonly<Record<string, string>> = {
  en: "Hello! This is how I sound.",
  zh: "你好！这就是我的声音。",
  hi: "नमस्ते! मेरी आवाज़ ऐसी है।",
  es: "¡Hola! Así sueno yo.",
  fr: "Bonjour ! Voici ma voix.",
  ar: "مرحبا! هكذا يبدو صوتي.",
  bn: "নমস্কার! আমার গলা এমন শোনায়।",
  pt: "Olá! É assim que eu soo.",
  ru: "Привет! Вот так я звучу.",
  ja: "こんにちは。これが私の声です。",
  de: "Hallo! So klinge ich.",
  tr: "Merhaba! Sesim böyle."
}

/** The language and voice in which responses are read aloud. */
export const SpeakingSettings = component$<{ readonly setup: VoiceSetup }>((props) => {
  const app = useServices()
  const setup = props.setup
  const state = useReadable(setup.state)
  const { preferences, speaker } = voiceServices(app)
  const chosen = useReadable(preferences.state)
  const speaking = useReadable(speaker.speaking)
  const { language, stt, tts } = state.value

  const reportFailure = $(async (work: Promise<{ readonly ok: boolean; readonly message?: string }>) => {
    const result = await work
    if (!result.ok) app.notices.show("error", result.message ?? say("That didn't work."))
  })

  if (language === null || stt === null || tts === null) return null
  const hasKey = (provider: Provider) =>
    provider === "vendor_a" ? stt.vendorAKey : provider === "free" || stt.vendorBKey
  const languages = language.supported.map(({ code, name, nativeName }) => ({
    value: code,
    label: name === nativeName ? name : `${name} (${nativeName})`
  }))
  const providers = [
    { value: "", label: say("Automatic") },
    ...PROVIDERS.map(({ value, label }) => ({
      value,
      label: hasKey(value) ? label : say("{label} (no key on the server)", { label }),
      disabled: !hasKey(value)
    }))
  ]
  return (
    <section class="voice-section" aria-labelledby="voice-speaking">
      <h2 id="voice-speaking">{say("Language and voice")}</h2>
      <div class="settings-group">
        <Field
          label={say("Language")}
          for="voice-language"
          hint={say("For speaking, listening and phrases, for everyone who uses this console.")}
        >
          <Select
            id="voice-language"
            value={state.value.language?.language ?? ""}
            options={languages}
            describedBy="voice-language-hint"
            onChange$={(code) => reportFailure(setup.setLanguage({ language: code }))}
          />
        </Field>
        <Field
          label={say("Voice provider")}
          for="voice-provider"
          hint={say("Automatic uses OpenAI if the server has a key, then Replicate, then the free voices.")}
        >
          <Select
            id="voice-provider"
            value={chosen.value.provider ?? ""}
            options={providers}
            describedBy="voice-provider-hint"
            onChange$={(chosen) =>
              preferences.update({ provider: PROVIDERS.find(({ value }) => value === chosen)?.value ?? null })
            }
          />
        </Field>
        <fieldset class="choice is-beside">
          <legend>{say("Free voice")}</legend>
          <div class="segmented choice-segments">
            {(["female", "male"] as const).map((gender) => (
              <label key={gender} class="choice-segment">
                <input
                  type="radio"
                  name="gender"
                  value={gender}
                  checked={language.gender === gender}
                  onChange$={() => reportFailure(setup.setLanguage({ edgeVoiceGender: gender }))}
                />
                <span>{gender === "female" ? say("Woman") : say("Man")}</span>
              </label>
            ))}
          </div>
        </fieldset>
        {stt.vendorAKey && (
          <Field label={say("OpenAI voice")} for="voice-vendor-a" hint={say("For example alloy, nova or onyx.")}>
            <input
              id="voice-vendor-a"
              class="field"
              maxLength={200}
              value={tts.vendorAVoice}
              aria-describedby="voice-vendor-a-hint"
              onChange$={(_, field) => reportFailure(setup.setTts({ vendor_a: { voice: field.value.trim() } }))}
            />
          </Field>
        )}
        {stt.vendorBKey && (
          <Field label={say("Qwen3 speaker")} for="voice-alias" hint={say("For example Serena or Ryan.")}>
            <input
              id="voice-alias"
              class="field"
              maxLength={200}
              value={tts.aliasSpeaker}
              aria-describedby="voice-alias-hint"
              onChange$={(_, field) => reportFailure(setup.setTts({ alias: { speaker: field.value.trim() } }))}
            />
          </Field>
        )}
      </div>
      <div>
        <button
          type="button"
          class="button"
          onClick$={() => {
            if (speaker.speaking.get()) {
              speaker.stop()
              return
            }
            unlockAudio()
            void speaker.say(SAMPLES[language.language] ?? SAMPLES.en ?? "")
          }}
        >
          {speaking.value ? say("Stop") : say("Preview voice")}
        </button>
      </div>
    </section>
  )
})
