import type { ChatVoice } from "./ChatVoice.ts"

/** A longer press lasts while someone speaks; a shorter one waits for a second press. */
const HOLD_MS = 500

/** Presses of the microphone button: held while speaking, or once to start and once to stop. */
export const followPress = (button: HTMLButtonElement, voice: ChatVoice): (() => void) => {
  const stop = new AbortController()
  const { signal } = stop
  let pressedAt: number | null = null
  const onDown = (event: PointerEvent) => {
    if (event.button !== 0) return
    if (voice.talk.state.get().phase !== "idle" || voice.dictation.state.get().phase === "transcribing") return
    pressedAt = event.timeStamp
    button.setPointerCapture(event.pointerId)
    voice.start()
  }
  const onUp = (event: PointerEvent) => {
    if (event.button !== 0) return
    if (pressedAt === null) voice.toggle()
    else if (event.timeStamp - pressedAt > HOLD_MS) void voice.talk.finish()
    pressedAt = null
  }
  const onLost = () => {
    if (pressedAt !== null) voice.talk.cancel()
    pressedAt = null
  }
  const onClick = (event: MouseEvent) => {
    // A pointer's clicks were already handled as presses; what is left comes from the keyboard and screen readers.
    if (event.detail === 0) voice.toggle()
  }
  button.addEventListener("pointerdown", onDown, { signal })
  button.addEventListener("pointerup", onUp, { signal })
  button.addEventListener("pointercancel", onLost, { signal })
  button.addEventListener("click", onClick, { signal })
  button.addEventListener("contextmenu", (event) => event.preventDefault(), { signal })
  return () => stop.abort()
}

/**
 * Alt+M held while speaking, or pressed once to start and once to stop; Esc discards the recording and silences the
 * agent.
 */
export const followTalkKeys = (voice: ChatVoice): (() => void) => {
  const stop = new AbortController()
  const { signal } = stop
  let pressedAt: number | null = null
  const onDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      if (!voice.drop()) {
        if (!voice.services.speaker.speaking.get()) return
        voice.services.speaker.stop()
      }
      // The next Esc is for the agent.
      event.preventDefault()
      event.stopPropagation()
      return
    }
    if (event.code !== "KeyM" || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    if (event.repeat || document.querySelector("dialog[open]") !== null) return
    if (voice.talk.state.get().phase === "idle") pressedAt = event.timeStamp
    voice.toggle()
  }
  const onUp = (event: KeyboardEvent) => {
    if (pressedAt === null || (event.code !== "KeyM" && event.key !== "Alt")) return
    if (event.timeStamp - pressedAt > HOLD_MS) void voice.talk.finish()
    pressedAt = null
  }
  document.addEventListener("keydown", onDown, { signal, capture: true })
  document.addEventListener("keyup", onUp, { signal, capture: true })
  return () => stop.abort()
}
