import { createObservable, type Readable } from "../common/Observable.ts"

import { say } from "../language/say.ts"
import type { SavedRecording } from "./Dictation.ts"

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
export type RecorderPhase = "idle" | "starting" | "recording"

export interface RecorderState {
  readonly phase: RecorderPhase
  /** Epoch milliseconds when the recording started. */
  readonly since: number | null
}

export interface RecorderOptions {
  readonly now: () => number
  /**
   * Starts recording, and tells every few seconds what there is so far; null if nothing can be recorded now, which
   * was said already. Rejects with a sentence for people.
   */
  readonly record: (onGrow: (audio: Blob) => void) => Promise<Recording | null>
  /** Begins to keep what is recorded. */
  readonly keep: () => SavedRecording
  readonly onProblem: (message: string) => void
}

/** A press shorter than this was a tap, not speech. */
const SHORTEST = 400
/** A recording ends automatically after this long. */
export const LONGEST = 10 * 60_000

const IDLE: RecorderState = { phase: "idle", since: null }

export interface VoiceRecorder {
  readonly state: Readable<RecorderState>
  /** Loudness of the current recording, 0 to 1. */
  level(): number
  start(): Promise<void>
  /** Ends the recording and hands it on. */
  finish(): Promise<void>
  /** Discards whatever is in progress. */
  cancel(): void
  /** Ends the recording because its chat is left; what was said stays. */
  leave(): Promise<void>
}

/** Push-to-talk: one recording at a time, from the press of a button to its end. */
export function createVoiceRecorder({ keep, now, onProblem, record }: RecorderOptions): VoiceRecorder {
  const state = createObservable<RecorderState>(IDLE)
  let recording: Recording | null = null
  let saved: SavedRecording | null = null
  let generation = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  /** The recording, which ends with this. */
  function ended() {
    generation++
    clearTimeout(timer)
    const { since } = state.get()
    const last = recording === null || saved === null || since === null ? null : { recording, saved, since }
    recording = null
    saved = null
    state.set(IDLE)
    return last
  }

  function cancel(): void {
    const last = ended()
    last?.recording.drop()
    last?.saved.drop()
  }

  const isTap = () => now() - (state.get().since ?? now()) < SHORTEST

  async function finish(): Promise<void> {
    const isRecording = state.get().phase === "recording"
    if (isTap()) {
      cancel()
      if (isRecording) onProblem(say("That was too short. Speak while it's recording, then finish."))
      return
    }
    const last = ended()
    await last?.saved.finish(await last.recording.stop())
  }

  return {
    state,
    level: () => recording?.level() ?? 0,
    start: async () => {
      if (state.get().phase !== "idle") return
      const mine = ++generation
      state.set({ phase: "starting", since: null })
      const kept = keep()
      try {
        const made = await record((audio) => kept.grow(audio))
        if (made === null || mine !== generation) {
          made?.drop()
          kept.drop()
          if (mine === generation) state.set(IDLE)
          return
        }
        recording = made
        saved = kept
        state.set({ phase: "recording", since: now() })
        timer = setTimeout(() => finish(), LONGEST)
      } catch (reason) {
        kept.drop()
        if (mine !== generation) return
        state.set(IDLE)
        onProblem(reason instanceof Error ? reason.message : say("Couldn't use the microphone."))
      }
    },
    finish,
    cancel,
    leave: async () => {
      if (isTap()) return cancel()
      const last = ended()
      last?.saved.interrupt(await last.recording.stop())
    }
  }
}
