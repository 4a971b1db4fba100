import { component$, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import audioLines from "../../icons/audio-lines.svg?shapes"
import check from "../../icons/check.svg?shapes"
import ear from "../../icons/ear.svg?shapes"
import mic from "../../icons/mic.svg?shapes"
import volumeX from "../../icons/volume-x.svg?shapes"
import x from "../../icons/x.svg?shapes"
import { useReadable } from "../base/useReadable.ts"
import { say } from "../core/language/say.ts"
import { stripView } from "../core/voice/voiceStrip.ts"
import { LineIcon } from "../ui/Icon.tsx"
import type { ChatVoice } from "./ChatVoice.ts"

const SHAPES = { "audio-lines": audioLines, check, ear, mic, "volume-x": volumeX, x } as const

/** A decorative line icon of the voice part, kept out of the first screen. */
export const VoiceIcon = component$<{ readonly name: keyof typeof SHAPES }>((props) => {
  const shapes = SHAPES[props.name]
  return <LineIcon shapes={shapes} />
})

const clock = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
}

/**
 * Shows above the composer what the microphone and recordings do: how loud it is, for how long, what a recording waits
 * for, and how to discard it.
 */
export const VoiceStrip = component$<{ readonly voice: ChatVoice }>((props) => {
  const voice = props.voice
  const talk = useReadable(voice.talk.state)
  const listening = useReadable(voice.listening)
  const dictation = useReadable(voice.dictation.state)
  const model = useReadable(voice.services.model.state)
  const setup = useReadable(voice.setup)
  const preferences = useReadable(voice.services.preferences.state)
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

  const { actions, canDrop, hasMeter, percent, text } = stripView({
    talk: talk.value.phase,
    listening: listening.value,
    dictation: dictation.value,
    model: model.value,
    setup: setup.value,
    afterTalk: preferences.value.afterTalk
  })
  const isQuiet = hasMeter ? undefined : true
  return (
    <div class={["voice-strip", text !== "" && "is-shown"]}>
      <p class="can-shrink small strong voice-status" role="status">
        {text}
      </p>
      <span ref={meter} class="voice-meter" aria-hidden="true" hidden={isQuiet} />
      <span ref={time} class="small tabular voice-time" aria-hidden="true" hidden={isQuiet} />
      {percent !== null && (
        <span class="row gap-2 small tabular voice-loading">
          <progress max={100} value={percent} aria-label={say("Download of the speech model")} />
          <span>{`${percent}%`}</span>
        </span>
      )}
      {actions.map(({ action, label }) => (
        <button key={action} type="button" class="button is-small" onClick$={() => voice.act(action)}>
          {label}
        </button>
      ))}
      {canDrop && (
        <button
          type="button"
          class="icon-button"
          aria-label={say("Discard recording")}
          title={say("Discard recording (Esc)")}
          onClick$={() => voice.drop()}
        >
          <VoiceIcon name="x" />
        </button>
      )}
    </div>
  )
})
