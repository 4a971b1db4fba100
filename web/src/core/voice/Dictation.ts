import { type ActionResult, createObservable, type Readable } from "../common/Observable.ts"

import { say } from "../language/say.ts"
import { CONSOLE_AWAY } from "../link/ApiClient.ts"
import type { KeptRecording, RecordingShelf } from "./keptRecordings.ts"
import type { SpeechModel } from "./SpeechModel.ts"

/**
 * What becomes of recordings: one is being transcribed, it waits for the speech model, or it's saved and waits for a
 * person, since something went wrong.
 */
export type DictationPhase = "idle" | "transcribing" | "setup" | "saved"

export interface DictationState {
  readonly phase: DictationPhase
  /** Why a saved recording isn't a message yet. */
  readonly message: string
  /**
   * What a person can do with a saved one besides deleting it: try again, use what there is of one that was cut off,
   * set up dictation, or let the service have it that recognises speech.
   */
  readonly offer: "again" | "use" | "setUp" | "allow"
}

/** Words, or why there are none; `code` is the server's. */
export type Transcribed = ActionResult<string> & { readonly code?: string }

export interface DictationParts {
  readonly sessionKey: string
  readonly now: () => number
  readonly newId: () => string
  readonly shelf: RecordingShelf
  /** Tells the browser's other pages that a recording grows here, until the returned function is called. */
  readonly hold: (id: string) => () => void
  /** Whether a recording grows in some page. */
  readonly isHeld: (id: string) => Promise<boolean>
  readonly model: Pick<SpeechModel, "state" | "read" | "setUp">
  /** Whether nothing can be heard in it. */
  readonly isSilent: (audio: Blob) => Promise<boolean>
  readonly transcribe: (audio: Blob, signal: AbortSignal) => Promise<Transcribed>
  /** Whether words may come while the chat isn't on screen. */
  readonly mayComeLater: () => boolean
  /** The words of a recording. */
  readonly onWords: (words: string) => void
  readonly onProblem: (message: string) => void
}

/** One recording on its way to the shelf. */
export interface SavedRecording {
  /** What has been recorded so far. */
  readonly grow: (audio: Blob) => void
  /** The recording was interrupted: whoever comes back decides about it. */
  readonly interrupt: (audio: Blob) => void
  readonly finish: (audio: Blob) => Promise<void>
  readonly drop: () => void
}

export interface Dictation {
  readonly state: Readable<DictationState>
  /** Goes on with what was kept, until the returned function is called; then only what has been begun is finished. */
  open(): () => void
  /** Begins to keep a recording. */
  keep(): SavedRecording
  /** Tries again with what is saved. */
  again(): Promise<void>
  /** Deletes the recording that's shown. */
  discard(): Promise<void>
  /** Tries what failed only because the console couldn't be reached. */
  reconnected(): void
}

/** The server asks for the model that the page thought was there. */
const NOT_READY = "model_not_ready"

const IDLE: DictationState = { phase: "idle", message: "", offer: "again" }
const SILENT = say("No speech detected. Try again, closer to the microphone.")
const CUT = say("The recording was interrupted. What you said until then is saved.")
const NOT_SET_UP = say("Dictation isn't set up yet. Your recording is saved.")
const OFF = say("The demo downloads no speech model. Your recording is saved.")
const saved = (problem: string): string => say("{problem} Your recording is saved.", { problem })
/** Asks before the first recording leaves the console's machine. */
export const sendsTo = (service: string): string =>
  say("Dictation sends what you say to {service}, which turns it into text.", { service })
const NO_MODEL = say("Couldn't download the speech model. Your recording is saved.")

/** Recordings of one session, kept from their first second until they are words. */
export function createDictation(parts: DictationParts): Dictation {
  const { model, shelf } = parts
  const state = createObservable<DictationState>(IDLE)
  const waiting: Array<KeptRecording> = []
  let isOpen = false
  let isWorking = false
  let wasAway = false
  let abort = new AbortController()

  const show = (phase: DictationPhase, message = "", offer: DictationState["offer"] = "again") =>
    state.set({ phase, message, offer })

  async function take(recording: KeptRecording): Promise<boolean> {
    const index = waiting.indexOf(recording)
    if (index !== -1) waiting.splice(index, 1)
    return shelf.take(recording.id)
  }

  /** Whether speech can be recognised now; otherwise says what is waited for. */
  async function isModelThere(): Promise<boolean> {
    const { source, status } = model.state.get().status === "unknown" ? await model.read() : model.state.get()
    if (status === "downloading") show("setup")
    else if (status === "missing") show("saved", NOT_SET_UP, "setUp")
    else if (status === "failed") show("saved", NO_MODEL)
    else if (status === "off") show("saved", OFF)
    else if (status === "unknown") {
      wasAway = true
      show("saved", saved(CONSOLE_AWAY))
    } else if (status === "unagreed") show("saved", saved(sendsTo(source)), "allow")
    else return true
    return false
  }

  async function transcribed(recording: KeptRecording, signal: AbortSignal): Promise<Transcribed> {
    if (await parts.isSilent(recording.audio)) return { ok: true, value: "" }
    return parts.transcribe(recording.audio, signal)
  }

  /** One recording; whether the next one can follow. */
  async function step(recording: KeptRecording): Promise<boolean> {
    if (!recording.isWhole) {
      show("saved", CUT, "use")
      return false
    }
    if (!(await isModelThere())) return false
    show("transcribing")
    const { signal } = abort
    const result = await transcribed(recording, signal)
    if (signal.aborted) return true
    if (!result.ok) {
      wasAway = result.code === undefined
      if (result.code === NOT_READY && (await model.read()).status !== "ready") return isModelThere()
      show("saved", saved(result.message))
      return false
    }
    if (!isOpen && !parts.mayComeLater()) return false
    // Another page may have been faster.
    if (!(await take(recording))) return true
    const words = result.value.trim()
    if (words === "") parts.onProblem(SILENT)
    else parts.onWords(words)
    return true
  }

  async function work(): Promise<void> {
    if (isWorking || !isOpen) return
    isWorking = true
    wasAway = false
    for (let next = waiting[0]; next !== undefined && isOpen; next = waiting[0]) if (!(await step(next))) break
    isWorking = false
    if (waiting.length === 0) state.set(IDLE)
  }

  async function load(): Promise<void> {
    const kept = await shelf.of(parts.sessionKey)
    for (const one of kept) {
      const isGrowing = !one.isWhole && (await parts.isHeld(one.id))
      if (!isGrowing && !waiting.some(({ id }) => id === one.id)) waiting.push(one)
    }
    await work()
  }

  return {
    state,
    open: () => {
      isOpen = true
      void load()
      const stop = model.state.subscribe(({ status }) => {
        if (state.get().phase !== "setup") return
        if (status === "ready") void work()
        else if (status === "failed") show("saved", NO_MODEL)
      })
      return () => {
        isOpen = false
        stop()
      }
    },
    keep: () => {
      const at = parts.now()
      const id = parts.newId()
      const release = parts.hold(id)
      let isOver = false
      const made = (audio: Blob, isWhole: boolean): KeptRecording => ({
        id,
        sessionKey: parts.sessionKey,
        at,
        audio,
        isWhole
      })
      const end = () => {
        isOver = true
        release()
      }
      return {
        grow: (audio) => {
          if (!isOver) void shelf.put(made(audio, false))
        },
        interrupt: (audio) => {
          end()
          void shelf.put(made(audio, false))
        },
        finish: async (audio) => {
          end()
          const whole = made(audio, true)
          await shelf.put(whole)
          waiting.push(whole)
          await work()
        },
        drop: () => {
          end()
          void shelf.take(id)
        }
      }
    },
    again: async () => {
      const [first] = waiting
      if (first === undefined) return
      waiting[0] = { ...first, isWhole: true }
      const { status } = model.state.get()
      if (status === "unagreed") await model.setUp()
      if (status === "missing" || status === "failed") {
        show("setup")
        const started = await model.setUp()
        if (!started.ok) return show("saved", NO_MODEL)
      }
      await work()
    },
    discard: async () => {
      abort.abort()
      abort = new AbortController()
      const [first] = waiting
      if (first !== undefined) await take(first)
      if (waiting.length === 0) state.set(IDLE)
      await work()
    },
    reconnected: () => {
      if (wasAway && state.get().phase === "saved") void work()
    }
  }
}
