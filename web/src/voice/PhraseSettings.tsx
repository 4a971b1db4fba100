import { $, component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import type { VoiceSetup } from "../core/voice/VoiceSetup.ts"
import type { LanguageSetup, PhraseSetup } from "../core/voice/voiceSetupTypes.ts"
import { Field } from "../ui/Field.tsx"

interface PhraseSettingsProps {
  readonly setup: VoiceSetup
  readonly language: LanguageSetup
  readonly phrases: PhraseSetup | null
}

const lines = (text: string | undefined): ReadonlyArray<string> =>
  (text ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

/** The words that steer hands-free listening in the voice language; what is typed stays until it is saved. */
export const PhraseSettings = component$<PhraseSettingsProps>((props) => {
  const app = useServices()
  const wake = useSignal<HTMLTextAreaElement>()
  const stop = useSignal<HTMLTextAreaElement>()
  const cancel = useSignal<HTMLTextAreaElement>()
  const saving = useSignal(false)
  const name = props.language.supported.find(({ code }) => code === props.language.language)?.name ?? ""

  const save = $(async () => {
    saving.value = true
    const result = await props.setup.setPhrases({
      wakePhrases: lines(wake.value?.value),
      stopPhrases: lines(stop.value?.value),
      cancelPhrases: lines(cancel.value?.value)
    })
    saving.value = false
    if (result.ok) app.notices.show("info", "The phrases are saved.")
    else app.notices.show("error", result.message)
  })

  if (props.phrases === null) return null
  return (
    <section class="voice-section" aria-labelledby="voice-phrases">
      <h2 id="voice-phrases">{`Phrases in ${name}`}</h2>
      <form class="voice-section" preventdefault:submit onSubmit$={save}>
        <Field label="Wake" for="voice-wake" hint="One a line. Begin a spoken message.">
          <textarea
            ref={wake}
            id="voice-wake"
            class="field"
            rows={3}
            aria-describedby="voice-wake-hint"
            value={props.phrases.wakePhrases.join("\n")}
          />
        </Field>
        <Field label="Stop" for="voice-stop" hint="End the message and send it.">
          <textarea
            ref={stop}
            id="voice-stop"
            class="field"
            rows={4}
            aria-describedby="voice-stop-hint"
            value={props.phrases.stopPhrases.join("\n")}
          />
        </Field>
        <Field label="Cancel" for="voice-cancel" hint="End the message and drop it.">
          <textarea
            ref={cancel}
            id="voice-cancel"
            class="field"
            rows={4}
            aria-describedby="voice-cancel-hint"
            value={props.phrases.cancelPhrases.join("\n")}
          />
        </Field>
        <div>
          <button type="submit" class="button is-primary" disabled={saving.value}>
            {saving.value ? "Saving…" : "Save the phrases"}
          </button>
        </div>
      </form>
    </section>
  )
})
