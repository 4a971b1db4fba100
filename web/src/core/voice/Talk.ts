import { createObservable } from "../common/Observable.ts"
import type { ActionResult, Readable } from "../common/readable.ts"

/** A recording microphone. */
export interface Recording {
  /** Current loudness, 0 to 1. */
  readonly level: () => number
  /** Stops and returns the whole recording. */
  readonly stop: () => Promise<Blob>
  /** Stops and discards the recording. */
  readonly drop: () => void
}

/** `starting` until the microphone really records, so that no first word is lost. */
export type TalkPhase = "idle" | "starting" | "recording" | "transcribing"

export interface TalkState {
  readonly phase: TalkPhase
  /** Epoch milliseconds when the recording started. */
  readonly since: number | null
}

export interface TalkParts {
  readonly now: () => number
  /** Starts recording; rejects with a sentence for people. */
  readonly record: () => Promise<Recording>
  readonly transcribe: (recording: Blob, signal: AbortSignal) => Promise<ActionResult<string>>
  /** The words in a finished recording. */
  readonly onWords: (words: string) => void
  readonly onProblem: (message: string) => void
}

/** A press shorter than this was a tap, not speech. */
const SHORTEST = 400
/** A recording ends automatically after this long. */
export const LONGEST = 10 * 60_000

const IDLE: TalkState = { phase: "idle", since: null }

/** Push-to-talk: one recording at a time, from the press of a button to its words. */
export class Talk {
  private readonly parts: TalkParts
  private readonly current = createObservable<TalkState>(IDLE)
  private recording: Recording | null = null
  private abort = new AbortController()
  private generation = 0
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(parts: TalkParts) {
    this.parts = parts
  }

  get state(): Readable<TalkState> {
    return this.current
  }

  /** Loudness of the current recording, 0 to 1. */
  level(): number {
    return this.recording?.level() ?? 0
  }

  async start(): Promise<void> {
    if (this.current.get().phase !== "idle") return
    const mine = ++this.generation
    this.current.set({ phase: "starting", since: null })
    try {
      const recording = await this.parts.record()
      if (mine !== this.generation) return recording.drop()
      this.recording = recording
      this.current.set({ phase: "recording", since: this.parts.now() })
      this.timer = setTimeout(() => this.finish(), LONGEST)
    } catch (reason) {
      if (mine !== this.generation) return
      this.current.set(IDLE)
      this.parts.onProblem(reason instanceof Error ? reason.message : "Couldn't use the microphone.")
    }
  }

  /** Ends the recording and has it transcribed. */
  async finish(): Promise<void> {
    const { since } = this.current.get()
    const recording = this.recording
    if (recording === null || since === null) return this.cancel()
    if (this.parts.now() - since < SHORTEST) {
      this.cancel()
      this.parts.onProblem("That was too short. Speak while it's recording, then finish.")
      return
    }
    const mine = ++this.generation
    clearTimeout(this.timer)
    this.recording = null
    this.current.set({ phase: "transcribing", since: null })
    const blob = await recording.stop()
    if (mine !== this.generation) return
    const result = await this.parts.transcribe(blob, this.abort.signal)
    if (mine !== this.generation) return
    this.current.set(IDLE)
    if (!result.ok) this.parts.onProblem(result.message)
    else if (result.value.trim() === "")
      this.parts.onProblem("No speech detected. Try again, closer to the microphone.")
    else this.parts.onWords(result.value.trim())
  }

  /** Discards whatever is in progress. */
  cancel(): void {
    this.generation++
    clearTimeout(this.timer)
    this.abort.abort()
    this.abort = new AbortController()
    this.recording?.drop()
    this.recording = null
    this.current.set(IDLE)
  }
}
