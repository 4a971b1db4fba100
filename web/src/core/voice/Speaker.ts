import { createObservable } from "../common/Observable.ts"
import type { ActionResult, Readable } from "../common/readable.ts"
import { spokenParts } from "./spokenParts.ts"

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
  /** Reads a text of any length, part by part. */
  say(text: string): Promise<void>
  /** Silences it at once. */
  stop(): void
}

/** Reads texts aloud, one at a time; a new one stops the previous one. */
export function createSpeaker({ onBlocked, onProblem, play, speak }: SpeakerParts): Speaker {
  const speaking = createObservable(false)
  let abort = new AbortController()
  let playing: Playing | null = null

  /** Plays one part; whether it was heard. */
  async function isPlayed(audio: Blob, signal: AbortSignal): Promise<boolean> {
    const sound = play(audio)
    playing = sound
    const isHeard = await sound.ended.then(
      () => true,
      () => false
    )
    if (!signal.aborted) playing = null
    return isHeard
  }

  /** Reads parts from one of them on, whose audio may be there already. The next one is prepared meanwhile. */
  async function read(parts: ReadonlyArray<string>, signal: AbortSignal, ready?: Promise<ActionResult<Blob>>) {
    const [part, ...others] = parts
    if (part === undefined) return speaking.set(false)
    speaking.set(true)
    const result = await (ready ?? speak(part, signal))
    if (signal.aborted) return
    if (!result.ok) {
      speaking.set(false)
      onProblem(result.message)
      return
    }
    const [following] = others
    const next = following === undefined ? undefined : speak(following, signal)
    const isHeard = await isPlayed(result.value, signal)
    if (signal.aborted) return
    if (isHeard) return read(others, signal, next)
    speaking.set(false)
    onBlocked(() => void read(parts, signal, Promise.resolve(result)))
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
      await read(spokenParts(text), abort.signal)
    },
    stop
  }
}
