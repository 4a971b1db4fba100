import type { ChatVoice } from "./ChatVoice.ts"

/** A press longer than this is held while somebody speaks; a shorter one waits for a second press. */
export const HOLD_MS = 500

/** Presses of the microphone's button: held while speaking, or once to begin and once to end. */
export const followPress = (button: HTMLButtonElement, voice: ChatVoice): (() => void) => {
  const stop = new AbortController()
  const { signal } = stop
  let pressedAt: number | null = null
  const onDown = (event: PointerEvent) => {
    if (event.button !== 0) return
    if (voice.talk.state.get().phase !== "idle") return
    pressedAt = event.timeStamp
    button.setPointerCapture(event.pointerId)
    voice.start()
  }
  const onUp = (event: PointerEvent) => {
    if (event.button !== 0) return
    if (pressedAt === null) void voice.talk.finish()
    else if (event.timeStamp - pressedAt > HOLD_MS) void voice.talk.finish()
    pressedAt = null
  }
  const onLost = () => {
    if (pressedAt !== null) voice.talk.cancel()
    pressedAt = null
  }
  const onClick = (event: MouseEvent) => {
    // Clicks of a pointer were pressed and released already; what is left is the keyboard's and the screen reader's.
    if (event.detail === 0) voice.toggle()
  }
  button.addEventListener("pointerdown", onDown, { signal })
  button.addEventListener("pointerup", onUp, { signal })
  button.addEventListener("pointercancel", onLost, { signal })
  button.addEventListener("click", onClick, { signal })
  button.addEventListener("contextmenu", (event) => event.preventDefault(), { signal })
  return () => stop.abort()
}
