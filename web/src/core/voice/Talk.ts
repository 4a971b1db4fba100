import { createObservable } from "../common/Observable.ts"
import type { ActionResult, Readable } from "../common/readable.ts"
import { say } from "../language/say.ts"

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

export interface Talk {
  readonly state: Readable<TalkState>
  /** Loudness of the current recording, 0 to 1. */
  level(): number
  start(): Promise<void>
  /** Ends the recording and has it transcribed. */
  finish(): Promise<void>
  /** Discards whatever is in progress. */
  cancel(): void
}

/** Push-to-talk: one recording at a time, from the press of a button to its words. */
export function createTalk({ now, onProblem, onWords, record, transcribe }: TalkParts): Talk {
  const state = createObservable<TalkState>(IDLE)
  let recording: Recording | null = null
  let abort = new AbortController()
  let generation = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  async function finish(): Promise<void> {
    const { since } = state.get()
    const recorded = recording
    if (recorded === null || since === null) return cancel()
    if (now() - since < SHORTEST) {
      cancel()
      onProblem(say("That was too short. Speak while it's recording, then finish."))
      return
    }
    const mine = ++generation
    clearTimeout(timer)
    recording = null
    state.set({ phase: "transcribing", since: null })
    const blob = await recorded.stop()
    if (mine !== generation) return
    const result = await transcribe(blob, abort.signal)
    if (mine !== generation) return
    state.set(IDLE)
    if (!result.ok) onProblem(result.message)
    else if (result.value.trim() === "") onProblem(say("No speech detected. Try again, closer to the microphone."))
    else onWords(result.value.trim())
  }

  function cancel(): void {
    generation++
    clearTimeout(timer)
    abort.abort()
    abort = new AbortController()
    recording?.drop()
    recording = null
    state.set(IDLE)
  }

  return {
    state,
    level: () => recording?.level() ?? 0,
    start: async () => {
      if (state.get().phase !== "idle") return
      const mine = ++generation
      state.set({ phase: "starting", since: null })
      try {
        const made = await record()
        if (mine !== generation) return made.drop()
        recording = made
        state.set({ phase: "recording", since: now() })
        timer = setTimeout(() => finish(), LONGEST)
      } catch (reason) {
        if (mine !== generation) return
        state.set(IDLE)
        onProblem(reason instanceof Error ? reason.message : say("Couldn't use the microphone."))
      }
    },
    finish,
    cancel
  }
}
