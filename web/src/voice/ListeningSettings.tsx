import { $, component$, useSignal } from "@builder.io/qwik"
import type { PhraseSet } from "../../../src/contract/schema/voice.ts"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { say } from "../core/language/say.ts"
import type { VoiceSetup } from "../core/voice/VoiceSetup.ts"
import type { LanguageSetup } from "../core/voice/voiceSetupTypes.ts"
import { Field } from "../ui/Field.tsx"
import { Select } from "../ui/Select.tsx"

const modelText = (id: string, size: string, multilingual: boolean, ready: boolean): string => {
  if (multilingual) return ready ? say("{id}, {size}, ready", { id, size }) : `${id}, ${size}`
  return ready
    ? say("{id}, {size}, English only, ready", { id, size })
    : say("{id}, {size}, English only", { id, size })
}

/** Which service recognises speech, and its models with their download. */
export const ListeningSettings = component$<{ readonly setup: VoiceSetup }>((props) => {
  const app = useServices()
  const setup = props.setup
  const state = useReadable(setup.state)
  const change = $(async (next: { readonly provider?: string; readonly model?: string }) => {
    const result = await setup.setStt(next)
    if (!result.ok) app.notices.show("error", result.message)
  })
  const { stt, language } = state.value
  if (stt === null) return null
  const model = stt.models.find(({ id }) => id === stt.model)
  const { download } = stt
  const isOnlyEnglish = model?.multilingual === false && language?.language !== "en"
  return (
    <section class="voice-section" aria-labelledby="voice-listening">
      <h2 id="voice-listening">{say("Recognition")}</h2>
      <div class="settings-group">
        <fieldset class="choice">
          <legend>{say("Speech recognition")}</legend>
          <div class="choice-options">
            <label class="choice-option">
              <input
                type="radio"
                name="sttProvider"
                value="local"
                checked={stt.provider === "local"}
                onChange$={() => change({ provider: "local" })}
              />
              <span>{say("On the server (audio stays there)")}</span>
            </label>
            <label class="choice-option">
              <input
                type="radio"
                name="sttProvider"
                value="vendor_a"
                checked={stt.provider === "vendor_a"}
                disabled={!stt.vendorAKey}
                onChange$={() => change({ provider: "vendor_a" })}
              />
              <span>{stt.vendorAKey ? "OpenAI" : say("OpenAI (no key on the server)")}</span>
            </label>
          </div>
        </fieldset>
        {stt.provider === "local" && (
          <>
            <Field
              label={say("Model")}
              for="voice-model"
              hint={say(
                "Larger models are more accurate and slower. Missing models are downloaded when you choose them."
              )}
              error={
                isOnlyEnglish
                  ? say("This model only understands English. For your language, choose one without “.en”.")
                  : null
              }
            >
              <Select
                id="voice-model"
                value={state.value.stt?.model ?? ""}
                options={stt.models.map(({ id, size, ready, multilingual }) => ({
                  value: id,
                  label: modelText(id, size, multilingual, ready)
                }))}
                describedBy="voice-model-hint"
                onChange$={(model) => change({ model })}
              />
            </Field>
            <div class="stack justify-start gap-2 voice-download">
              <p role="status">
                {download === null
                  ? stt.modelReady
                    ? say("The model is ready.")
                    : say("The model hasn't been downloaded yet.")
                  : download.status === "failed"
                    ? download.error === null
                      ? say("The download failed: try again.")
                      : say("The download failed: {problem}.", { problem: download.error })
                    : download.status === "verifying"
                      ? say("Checking {model}…", { model: download.model })
                      : say("Downloading {model}…", { model: download.model })}
              </p>
              {download !== null && download.status !== "failed" && (
                <div class="row gap-3 full-width tabular voice-progress">
                  <progress
                    max={100}
                    value={download.percent}
                    aria-label={say("Download of {model}", { model: download.model })}
                  />
                  <span>{`${download.percent}%`}</span>
                </div>
              )}
              {!stt.modelReady && (download === null || download.status === "failed") && (
                <button type="button" class="button" onClick$={() => change({ model: stt.model })}>
                  {say("Download {model} ({size})", { model: stt.model, size: model?.size ?? "" })}
                </button>
              )}
            </div>
          </>
        )}
      </div>
    </section>
  )
})

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
