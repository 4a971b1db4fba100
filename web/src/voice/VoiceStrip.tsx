import { component$, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useReadable } from "../base/useReadable.ts"
import { say } from "../core/language/say.ts"
import type { TalkPhase } from "../core/voice/Talk.ts"
import type { ChatVoice, ListeningPhase } from "./ChatVoice.ts"
import { VoiceIcon } from "./VoiceIcon.tsx"

const TALKING: Readonly<Record<Exclude<TalkPhase, "idle">, string>> = {
  starting: say("Starting the microphone…"),
  recording: say("Speak now"),
  transcribing: say("Transcribing…")
}

const LISTENING: Readonly<Record<Exclude<ListeningPhase, "off">, string>> = {
  starting: say("Starting the microphone…"),
  waiting: say("Waiting for the wake phrase"),
  awake: say("Listening. Say a stop phrase to finish")
}

const clock = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
}

/** Shows the microphone's state above the composer: how loud it is, for how long, and how to discard the recording. */
export const VoiceStrip = component$<{ readonly voice: ChatVoice }>((props) => {
  const voice = props.voice
  const talk = useReadable(voice.talk.state)
  const listening = useReadable(voice.listening)
  const meter = useSignal<HTMLElement>()
  const time = useSignal<HTMLElement>()

  useVisibleTask$(
    ({ cleanup }) => {
      let frame = 0
      const draw = () => {
        frame = requestAnimationFrame(draw)
        const { since } = voice.talk.state.get()
        meter.value?.style.setProperty("--level", voice.level().toFixed(3))
        const text = since === null ? "" : clock(Date.now() - since)
        if (time.value !== undefined && time.value.textContent !== text) time.value.textContent = text
      }
      const follow = () => {
        cancelAnimationFrame(frame)
        if (voice.talk.state.get().phase !== "idle" || voice.listening.get() !== "off") draw()
      }
      cleanup(voice.talk.state.subscribe(follow))
      cleanup(voice.listening.subscribe(follow))
      cleanup(() => cancelAnimationFrame(frame))
    },
    { strategy: "document-ready" }
  )

  const phase = talk.value.phase
  const text = phase !== "idle" ? TALKING[phase] : listening.value === "off" ? "" : LISTENING[listening.value]
  return (
    <div class={["voice-strip", text !== "" && "is-shown"]}>
      <p class="voice-status" role="status">
        {text}
      </p>
      <span ref={meter} class="voice-meter" aria-hidden="true" />
      <span ref={time} class="voice-time" aria-hidden="true" />
      {phase !== "idle" && (
        <button
          type="button"
          class="icon-button"
          aria-label={say("Discard recording")}
          title={say("Discard recording (Esc)")}
          onClick$={() => voice.talk.cancel()}
        >
          <VoiceIcon name="x" />
        </button>
      )}
    </div>
  )
})
