import { createObservable } from "../common/Observable.ts"
import type { ActionResult, Readable } from "../common/readable.ts"

/** Playing audio; `ended` resolves when it is over or was stopped, and rejects if the browser doesn't let it play. */
export interface Playing {
  readonly ended: Promise<void>
  readonly stop: () => void
}

export interface SpeakerParts {
  readonly speak: (text: string, signal: AbortSignal) => Promise<ActionResult<Blob>>
  readonly play: (audio: Blob) => Playing
  readonly onProblem: (message: string) => void
  /** The browser requires a click before it plays; `again` plays. */
  readonly onBlocked: (again: () => void) => void
}

export interface Speaker {
  /** Whether something is being prepared or read aloud. */
  readonly speaking: Readable<boolean>
  say(text: string): Promise<void>
  /** Silences it at once. */
  stop(): void
}

/** Reads texts aloud, one at a time; a new one stops the previous one. */
export function createSpeaker({ onBlocked, onProblem, play, speak }: SpeakerParts): Speaker {
  const speaking = createObservable(false)
  let abort = new AbortController()
  let playing: Playing | null = null

  async function playBlob(audio: Blob, signal: AbortSignal): Promise<void> {
    speaking.set(true)
    const sound = play(audio)
    playing = sound
    const blocked = await sound.ended.then(
      () => false,
      () => true
    )
    if (signal.aborted) return
    playing = null
    speaking.set(false)
    if (blocked) onBlocked(() => playBlob(audio, signal))
  }

  function stop(): void {
    abort.abort()
    abort = new AbortController()
    playing?.stop()
    playing = null
    speaking.set(false)
  }

  return {
    speaking,
    say: async (text) => {
      stop()
      if (text === "") return
      const { signal } = abort
      speaking.set(true)
      const result = await speak(text, signal)
      if (signal.aborted) return
      if (!result.ok) {
        speaking.set(false)
        onProblem(result.message)
        return
      }
      await playBlob(result.value, signal)
    },
    stop
  }
}
