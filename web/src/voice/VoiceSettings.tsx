import { component$, useConstant, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { createVoiceSetup } from "../core/voice/VoiceSetup.ts"
import { ErrorState } from "../ui/ErrorState.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { ListeningSettings } from "./ListeningSettings.tsx"
import { PhraseSettings } from "./PhraseSettings.tsx"
import { SpeakingSettings } from "./SpeakingSettings.tsx"
import { TalkingSettings } from "./TalkingSettings.tsx"
import "./voiceSettings.css"
import { say } from "../core/language/say.ts"

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
