import { component$, useConstant, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { createVoiceSetup } from "../core/voice/VoiceSetup.ts"
import { ErrorState } from "../ui/ErrorState.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { ListeningSettings, PhraseSettings } from "./ListeningSettings.tsx"
import { SpeakingSettings } from "./SpeakingSettings.tsx"
import "./voiceSettings.css"
import { say } from "../core/language/say.ts"
import type { ReadAloud, VoicePreferences } from "../core/voice/voicePreferences.ts"
import { Switch } from "../ui/Switch.tsx"
import { listeningProblem } from "./microphone.ts"
import { voiceServices } from "./voiceServices.ts"

const READ_ALOUD: ReadonlyArray<readonly [ReadAloud, string]> = [
  ["never", say("Never")],
  ["spoken", say("After spoken messages")],
  ["always", say("Always")]
]

const AFTER_TALK: ReadonlyArray<readonly [VoicePreferences["afterTalk"], string]> = [
  ["send", say("Sent right away")],
  ["edit", say("Put in the composer for review")]
]

/** What this browser does with the microphone and with responses. */
const TalkingSettings = component$(() => {
  const app = useServices()
  const { preferences } = voiceServices(app)
  const now = useReadable(preferences.state)
  const problem = listeningProblem()
  return (
    <section class="voice-section" aria-labelledby="voice-talking">
      <h2 id="voice-talking">{say("In this browser")}</h2>
      {problem !== null && (
        <p class="settings-note is-warning" role="status">
          {problem}
        </p>
      )}
      <div class="settings-group">
        <fieldset class="choice is-beside">
          <legend>{say("Read responses aloud")}</legend>
          <div class="segmented choice-segments">
            {READ_ALOUD.map(([value, label]) => (
              <label key={value} class="choice-segment">
                <input
                  type="radio"
                  name="readAloud"
                  value={value}
                  checked={now.value.readAloud === value}
                  onChange$={() => preferences.update({ readAloud: value })}
                />
                <span>{label}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <fieldset class="choice">
          <legend>{say("Spoken messages are")}</legend>
          <div class="choice-options">
            {AFTER_TALK.map(([value, label]) => (
              <label key={value} class="choice-option">
                <input
                  type="radio"
                  name="afterTalk"
                  value={value}
                  checked={now.value.afterTalk === value}
                  onChange$={() => preferences.update({ afterTalk: value })}
                />
                <span>{label}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <Switch
          label={say("Hands-free listening")}
          hint={say(
            "Adds a button next to the composer that listens for your wake phrase. It uses the speech recognition chosen below. Not available on phones."
          )}
          checked={now.value.handsFree}
          onChange$={(handsFree) => preferences.update({ handsFree })}
        />
      </div>
    </section>
  )
})

/** How people and agents talk to each other: what this browser does, and what the console's server does for it. */
export const VoiceSettings = component$(() => {
  const app = useServices()
  const setup = useConstant(() => createVoiceSetup(app.client.api, app.client.events))
  const state = useReadable(setup.state)
  useVisibleTask$(({ cleanup }) => cleanup(setup.open()), { strategy: "document-ready" })

  const { status, message, language, stt, tts, phrases } = state.value
  const code = language?.language
  return (
    <div class="settings-page">
      <TalkingSettings />
      {status === "loading" && <LoadingState label={say("Loading voice settings…")} />}
      {status === "failed" && (
        <ErrorState
          title={say("Couldn't load the voice settings")}
          text={message ?? say("Try again.")}
          onRetry$={() => setup.load()}
        />
      )}
      {language !== null && tts !== null && stt !== null && (
        <>
          <SpeakingSettings setup={setup} />
          <ListeningSettings setup={setup} />
          <PhraseSettings key={code} setup={setup} phrases={phrases} language={language} />
        </>
      )}
    </div>
  )
})
