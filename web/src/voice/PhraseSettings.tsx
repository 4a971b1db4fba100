import { $, component$, useSignal } from "@builder.io/qwik"
import type { PhraseSet } from "../../../src/contract/schema/voice.ts"
import { useServices } from "../base/AppContext.ts"
import { say } from "../core/language/say.ts"
import type { VoiceSetup } from "../core/voice/VoiceSetup.ts"
import type { LanguageSetup } from "../core/voice/voiceSetupTypes.ts"
import { Field } from "../ui/Field.tsx"

interface PhraseSettingsProps {
  readonly setup: VoiceSetup
  readonly language: LanguageSetup
  readonly phrases: PhraseSet | null
}

const FIELDS = [
  {
    kind: "wakePhrases",
    id: "voice-wake",
    label: say("Wake"),
    hint: say("One per line. Starts a spoken message."),
    rows: 3
  },
  { kind: "stopPhrases", id: "voice-stop", label: say("Stop"), hint: say("Ends the message and sends it."), rows: 4 },
  {
    kind: "cancelPhrases",
    id: "voice-cancel",
    label: say("Cancel"),
    hint: say("Ends the message and discards it."),
    rows: 4
  }
] as const

const linesOf = (text: FormDataEntryValue | null): ReadonlyArray<string> =>
  String(text ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

/** The phrases that control hands-free listening in the voice language; what is typed stays until it is saved. */
export const PhraseSettings = component$<PhraseSettingsProps>((props) => {
  const app = useServices()
  const saving = useSignal(false)
  const name = props.language.supported.find(({ code }) => code === props.language.language)?.name ?? ""

  const save = $(async (_: SubmitEvent, form: HTMLFormElement) => {
    saving.value = true
    const typed = new FormData(form)
    const result = await props.setup.setPhrases({
      wakePhrases: linesOf(typed.get("wakePhrases")),
      stopPhrases: linesOf(typed.get("stopPhrases")),
      cancelPhrases: linesOf(typed.get("cancelPhrases"))
    })
    saving.value = false
    if (result.ok) app.notices.show("info", say("Phrases saved."))
    else app.notices.show("error", result.message)
  })

  const { phrases } = props
  if (phrases === null) return null
  return (
    <section class="voice-section" aria-labelledby="voice-phrases">
      <h2 id="voice-phrases">{say("Phrases in {name}", { name })}</h2>
      <form class="voice-section" preventdefault:submit onSubmit$={save}>
        <div class="settings-group">
          {FIELDS.map(({ kind, id, label, hint, rows }) => (
            <Field key={id} label={label} for={id} hint={hint}>
              <textarea
                id={id}
                name={kind}
                class="field"
                rows={rows}
                aria-describedby={`${id}-hint`}
                value={phrases[kind].join("\n")}
              />
            </Field>
          ))}
        </div>
        <div>
          <button type="submit" class="button is-primary" disabled={saving.value}>
            {saving.value ? say("Saving…") : say("Save phrases")}
          </button>
        </div>
      </form>
    </section>
  )
})
