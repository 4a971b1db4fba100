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

/** Reads texts aloud, one at a time; a new one stops the previous one. */
export class Speaker {
  private readonly parts: SpeakerParts
  private readonly isSpeaking = createObservable(false)
  private abort = new AbortController()
  private playing: Playing | null = null

  constructor(parts: SpeakerParts) {
    this.parts = parts
  }

  /** Whether something is being prepared or read aloud. */
  get speaking(): Readable<boolean> {
    return this.isSpeaking
  }

  async say(text: string): Promise<void> {
    this.stop()
    if (text === "") return
    const { signal } = this.abort
    this.isSpeaking.set(true)
    const result = await this.parts.speak(text, signal)
    if (signal.aborted) return
    if (!result.ok) {
      this.isSpeaking.set(false)
      this.parts.onProblem(result.message)
      return
    }
    await this.playBlob(result.value, signal)
  }

  private async playBlob(audio: Blob, signal: AbortSignal): Promise<void> {
    this.isSpeaking.set(true)
    const playing = this.parts.play(audio)
    this.playing = playing
    const blocked = await playing.ended.then(
      () => false,
      () => true
    )
    if (signal.aborted) return
    this.playing = null
    this.isSpeaking.set(false)
    if (blocked) this.parts.onBlocked(() => this.playBlob(audio, signal))
  }

  /** Silences it at once. */
  stop(): void {
    this.abort.abort()
    this.abort = new AbortController()
    this.playing?.stop()
    this.playing = null
    this.isSpeaking.set(false)
  }
}
