import { Observable } from "../Observable.ts"
import type { ActionResult, Readable } from "../types.ts"

/** Audio that plays; `ended` settles when it is over or was stopped, and rejects when the browser does not let it play. */
export interface Playing {
  readonly ended: Promise<void>
  readonly stop: () => void
}

export interface SpeakerParts {
  readonly speak: (text: string, signal: AbortSignal) => Promise<ActionResult<Blob>>
  readonly play: (audio: Blob) => Playing
  readonly onProblem: (message: string) => void
  /** The browser wants a click before it plays; `again` plays. */
  readonly onBlocked: (again: () => void) => void
}

/** Reads texts out, one at a time; a new one ends the one before. */
export class Speaker {
  readonly #parts: SpeakerParts
  readonly #speaking = new Observable(false)
  #abort = new AbortController()
  #playing: Playing | null = null

  constructor(parts: SpeakerParts) {
    this.#parts = parts
  }

  /** Whether something is made or read out now. */
  get speaking(): Readable<boolean> {
    return this.#speaking
  }

  async say(text: string): Promise<void> {
    this.stop()
    if (text === "") return
    const { signal } = this.#abort
    this.#speaking.set(true)
    const result = await this.#parts.speak(text, signal)
    if (signal.aborted) return
    if (!result.ok) {
      this.#speaking.set(false)
      this.#parts.onProblem(result.message)
      return
    }
    await this.#play(result.value, signal)
  }

  async #play(audio: Blob, signal: AbortSignal): Promise<void> {
    this.#speaking.set(true)
    const playing = this.#parts.play(audio)
    this.#playing = playing
    const blocked = await playing.ended.then(
      () => false,
      () => true
    )
    if (signal.aborted) return
    this.#playing = null
    this.#speaking.set(false)
    if (blocked) this.#parts.onBlocked(() => this.#play(audio, signal))
  }

  /** Silence at once. */
  stop(): void {
    this.#abort.abort()
    this.#abort = new AbortController()
    this.#playing?.stop()
    this.#playing = null
    this.#speaking.set(false)
  }
}
