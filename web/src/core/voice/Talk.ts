import { Observable } from "../Observable.ts"
import type { ActionResult, Readable } from "../types.ts"

/** A microphone that records. */
export interface Recording {
  /** Loudness now, 0 to 1. */
  readonly level: () => number
  /** Ends it; the whole recording. */
  readonly stop: () => Promise<Blob>
  /** Ends it and drops it. */
  readonly drop: () => void
}

/** `starting` until the microphone really records, so that no first word is lost. */
export type TalkPhase = "idle" | "starting" | "recording" | "transcribing"

export interface TalkState {
  readonly phase: TalkPhase
  /** Epoch milliseconds at which the recording began. */
  readonly since: number | null
}

export interface TalkParts {
  readonly now: () => number
  /** Begins to record; rejects with a sentence for people. */
  readonly record: () => Promise<Recording>
  readonly transcribe: (recording: Blob, signal: AbortSignal) => Promise<ActionResult<string>>
  /** The words of a recording that was finished. */
  readonly onWords: (words: string) => void
  readonly onProblem: (message: string) => void
}

/** A press shorter than this was a tap, not an answer. */
const SHORTEST = 400
/** A recording ends by itself after this long. */
export const LONGEST = 10 * 60_000

const IDLE: TalkState = { phase: "idle", since: null }

/** Push-to-talk: one recording at a time, from the press of a button to its words. */
export class Talk {
  readonly #parts: TalkParts
  readonly #state = new Observable<TalkState>(IDLE)
  #recording: Recording | null = null
  #abort = new AbortController()
  #generation = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(parts: TalkParts) {
    this.#parts = parts
  }

  get state(): Readable<TalkState> {
    return this.#state
  }

  /** Loudness of the recording that runs, 0 to 1. */
  level(): number {
    return this.#recording?.level() ?? 0
  }

  async start(): Promise<void> {
    if (this.#state.get().phase !== "idle") return
    const mine = ++this.#generation
    this.#state.set({ phase: "starting", since: null })
    try {
      const recording = await this.#parts.record()
      if (mine !== this.#generation) return recording.drop()
      this.#recording = recording
      this.#state.set({ phase: "recording", since: this.#parts.now() })
      this.#timer = setTimeout(() => this.finish(), LONGEST)
    } catch (reason) {
      if (mine !== this.#generation) return
      this.#state.set(IDLE)
      this.#parts.onProblem(reason instanceof Error ? reason.message : "The microphone could not be used.")
    }
  }

  /** Ends the recording and has it turned into words. */
  async finish(): Promise<void> {
    const { since } = this.#state.get()
    const recording = this.#recording
    if (recording === null || since === null) return this.cancel()
    if (this.#parts.now() - since < SHORTEST) {
      this.cancel()
      this.#parts.onProblem("That was too short. Speak while it records, then finish.")
      return
    }
    const mine = ++this.#generation
    clearTimeout(this.#timer)
    this.#recording = null
    this.#state.set({ phase: "transcribing", since: null })
    const blob = await recording.stop()
    if (mine !== this.#generation) return
    const result = await this.#parts.transcribe(blob, this.#abort.signal)
    if (mine !== this.#generation) return
    this.#state.set(IDLE)
    if (!result.ok) this.#parts.onProblem(result.message)
    else if (result.value.trim() === "")
      this.#parts.onProblem("No words were heard. Try again, closer to the microphone.")
    else this.#parts.onWords(result.value.trim())
  }

  /** Drops whatever is under way. */
  cancel(): void {
    this.#generation++
    clearTimeout(this.#timer)
    this.#abort.abort()
    this.#abort = new AbortController()
    this.#recording?.drop()
    this.#recording = null
    this.#state.set(IDLE)
  }
}
