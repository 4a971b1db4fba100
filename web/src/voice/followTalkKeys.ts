import type { ChatVoice } from "./ChatVoice.ts"
import { HOLD_MS } from "./followPress.ts"

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
