import { component$, useConstant, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { type AppServices, useServices } from "../base/AppContext.ts"
import { useCommands } from "../base/useCommands.ts"
import { useReadable } from "../base/useReadable.ts"
import type { ChatStore } from "../core/conversation/chatTypes.ts"
import { say } from "../core/language/say.ts"
import { NOT_LOADED } from "../core/link/loadedPart.ts"
import { spokenReply } from "../core/voice/spokenText.ts"
import { createChatVoice } from "./ChatVoice.ts"
import { followPress, followTalkKeys } from "./followPress.ts"
import { unlockAudio } from "./playAudio.ts"
import { VoiceIcon, VoiceStrip } from "./VoiceStrip.tsx"
import { voiceServices } from "./voiceServices.ts"

/** What the voice part needs from its chat. */
export interface VoiceProps {
  readonly chat: ChatStore
  readonly sessionKey: string
}

const PHONE = "(pointer: coarse) and (max-width: 760px)"

/** The composer's microphone button, with hands-free listening next to it if it is turned on. */
export const VoiceControl = component$<VoiceProps>((props) => {
  const app = useServices()
  const voice = useConstant(() => createChatVoice(app, props.chat, props.sessionKey))
  const talk = useReadable(voice.talk.state)
  const dictation = useReadable(voice.dictation.state)
  const listening = useReadable(voice.listening)
  const speaking = useReadable(voice.services.speaker.speaking)
  const preferences = useReadable(voice.services.preferences.state)
  const button = useSignal<HTMLButtonElement>()
  const isPhone = useConstant(() => window.matchMedia(PHONE).matches)

  useCommands(() => [
    {
      id: "voice.talk",
      label: say("Speak a message"),
      group: say("Chat"),
      keys: "alt+m",
      keywords: "voice microphone talk record dictate",
      whileTyping: true,
      run: () => voice.toggle()
    },
    {
      id: "voice.silence",
      label: say("Stop reading aloud"),
      group: say("Chat"),
      keywords: "voice silence mute quiet",
      when: () => voice.services.speaker.speaking.get(),
      run: () => voice.services.speaker.stop()
    }
  ])

  useVisibleTask$(
    ({ cleanup }) => {
      cleanup(voice.attach())
      cleanup(followTalkKeys(voice))
      if (button.value !== undefined) cleanup(followPress(button.value, voice))
    },
    { strategy: "document-ready" }
  )

  const isTranscribing = talk.value.phase === "idle" && dictation.value.phase === "transcribing"
  const phase = isTranscribing ? "transcribing" : talk.value.phase
  const label =
    phase === "idle"
      ? say("Speak a message")
      : phase === "transcribing"
        ? say("Stop transcribing")
        : say("Finish speaking")
  return (
    <div class="row voice">
      {speaking.value && (
        <button
          type="button"
          class="icon-button"
          aria-label={say("Stop reading aloud")}
          title={say("Stop reading aloud")}
          onClick$={() => voice.services.speaker.stop()}
        >
          <VoiceIcon name="volume-x" />
        </button>
      )}
      {preferences.value.handsFree && !isPhone && (
        <button
          type="button"
          class={["icon-button voice-ear", listening.value !== "off" && "is-on"]}
          aria-label={say("Hands-free listening")}
          aria-pressed={listening.value === "off" ? "false" : "true"}
          title={listening.value === "off" ? say("Listen for the wake phrase") : say("Stop listening")}
          onClick$={() => voice.toggleListening()}
        >
          <VoiceIcon name="ear" />
        </button>
      )}
      <button
        ref={button}
        type="button"
        class={["icon-button voice-button", `is-${phase}`]}
        aria-label={label}
        title={say("{label} (Alt+M; hold, or press twice)", { label })}
      >
        <VoiceIcon name={phase === "idle" ? "mic" : phase === "transcribing" ? "audio-lines" : "check"} />
      </button>
      <VoiceStrip voice={voice} />
    </div>
  )
})

/** Reads a response aloud; one that's being read falls silent. The composer's button stops it. */
export const readAloud = async (app: AppServices, text: string): Promise<void> => {
  const { speaker } = voiceServices(app)
  unlockAudio()
  const words = await spokenReply(text).catch(() => null)
  if (words === null) return app.notices.show("error", NOT_LOADED.message)
  if (words !== "") await speaker.say(words)
  else app.notices.show("info", say("There's nothing to read aloud in this response."))
}
