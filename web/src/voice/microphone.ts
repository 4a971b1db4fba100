import { say } from "../core/language/say.ts"
import type { Recording } from "../core/voice/VoiceRecorder.ts"

/** Recording formats of browsers, best first: Chromium and Firefox know the first ones, Safari the last. */
const TYPES = ["audio/webm;codecs=opus", "audio/ogg;codecs=opus", "audio/webm", "audio/mp4"]

const INSECURE = say(
  "Browsers only allow the microphone over HTTPS or at localhost. Open the console that way to speak."
)
const UNKNOWN = say("This browser can't record audio. Try another one.")

const PROBLEMS: Readonly<Record<string, string>> = {
  NotAllowedError: say("The microphone is blocked for this page. Allow it in the browser's site settings."),
  NotFoundError: say("No microphone found. Connect one, then try again."),
  NotReadableError: say("Another program is using the microphone. Close it, then try again.")
}

/** Why this page can't listen at all; null if it can. */
export const listeningProblem = (): string | null => {
  if (!window.isSecureContext) return INSECURE
  return navigator.mediaDevices === undefined || typeof MediaRecorder === "undefined" ? UNKNOWN : null
}

/** The type this browser records. */
export const recordedType = (): string | undefined => TYPES.find((type) => MediaRecorder.isTypeSupported(type))

/** An open microphone. */
interface Microphone {
  readonly stream: MediaStream
  /** Current loudness, 0 to 1. */
  readonly level: () => number
  readonly close: () => void
}

/** Opens the microphone; rejects with a sentence for people. */
const openMicrophone = async (): Promise<Microphone> => {
  const problem = listeningProblem()
  if (problem !== null) throw new Error(problem)
  const stream = await navigator.mediaDevices
    .getUserMedia({ audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true } })
    .catch((reason: unknown) => {
      const name = reason instanceof DOMException ? reason.name : ""
      throw new Error(PROBLEMS[name] ?? say("Couldn't use the microphone."))
    })
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  analyser.fftSize = 1024
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Uint8Array(analyser.fftSize)
  return {
    stream,
    level: () => {
      analyser.getByteTimeDomainData(samples)
      let sum = 0
      for (const sample of samples) sum += ((sample - 128) / 128) ** 2
      // Speech is quiet compared to full scale; the root spreads it over the meter.
      return Math.min(1, Math.sqrt(Math.sqrt(sum / samples.length)) * 1.4)
    },
    close: () => {
      for (const track of stream.getTracks()) track.stop()
      context.close().catch(() => {})
    }
  }
}

/** How often a recording delivers what there is so far. */
const GROWS_MS = 3_000

/** One recording from an open microphone; `close` also ends it. */
const recordFrom = (
  microphone: Microphone,
  close: () => void,
  onGrow: (audio: Blob) => void = () => {}
): Promise<Recording> =>
  new Promise((resolve, reject) => {
    const type = recordedType()
    const recorder = new MediaRecorder(microphone.stream, type === undefined ? {} : { mimeType: type })
    const parts: Array<Blob> = []
    let isDropped = false
    const whole = new Promise<Blob>((done) => {
      recorder.addEventListener("stop", () => {
        close()
        done(new Blob(isDropped ? [] : parts, { type: recorder.mimeType }))
      })
    })
    const end = () => {
      if (recorder.state !== "inactive") recorder.stop()
    }
    recorder.addEventListener("dataavailable", (event) => {
      parts.push(event.data)
      if (recorder.state !== "inactive") onGrow(new Blob(parts, { type: recorder.mimeType }))
    })
    recorder.addEventListener("error", () => {
      close()
      reject(new Error("The recording failed. Try again."))
    })
    recorder.addEventListener("start", () =>
      resolve({
        level: microphone.level,
        stop: () => {
          end()
          return whole
        },
        drop: () => {
          isDropped = true
          end()
        }
      })
    )
    recorder.start(GROWS_MS)
  })

/** Opens the microphone for one recording. */
export const record = async (onGrow: (audio: Blob) => void): Promise<Recording> => {
  const microphone = await openMicrophone()
  return recordFrom(microphone, microphone.close, onGrow)
}

/** Above this loudness someone is speaking. */
const SPEECH = 0.16
const TICK_MS = 50
/** A pause this long ends a clip. */
const PAUSE_MS = 900
const LONGEST_MS = 20_000
/** Without speech, a clip is discarded and restarted this often, to keep the part before the first word short. */
const IDLE_MS = 3_000
const SHORTEST_SPEECH_MS = 250

/** Clips of speech from an open microphone. */
export interface Listening {
  readonly level: () => number
  readonly stop: () => void
}

/**
 * Listens until stopped, and delivers each stretch of speech as a recording. The next recording starts before the
 * last one ends, so no word is lost in between. Rejects with a sentence for people.
 */
export const listenForClips = async (onClip: (clip: Blob) => void): Promise<Listening> => {
  const microphone: Microphone = await openMicrophone()
  let current: Recording = await recordFrom(microphone, () => {})
  let began = performance.now()
  let lastSpeech = 0
  let spoken = 0
  let isTurning = false
  const turn = async (isKept: boolean) => {
    isTurning = true
    const old = current
    current = await recordFrom(microphone, () => {})
    began = performance.now()
    lastSpeech = 0
    spoken = 0
    isTurning = false
    if (!isKept) old.drop()
    else onClip(await old.stop())
  }
  const timer = setInterval(() => {
    if (isTurning) return
    const now = performance.now()
    if (microphone.level() > SPEECH) {
      lastSpeech = now
      spoken += TICK_MS
    }
    const hasSpeech = spoken >= SHORTEST_SPEECH_MS
    const isOver = hasSpeech && (now - lastSpeech > PAUSE_MS || now - began > LONGEST_MS)
    const isEmpty = !hasSpeech && now - began > IDLE_MS && now - lastSpeech > PAUSE_MS
    // It only fails if the microphone was closed at this moment.
    if (isOver || isEmpty) turn(isOver).catch(() => {})
  }, TICK_MS)
  return {
    level: microphone.level,
    stop: () => {
      clearInterval(timer)
      current.drop()
      microphone.close()
    }
  }
}

const LOCK_PREFIX = "agent-console-recording "

/** Marks a recording as this page's for the browser's other pages, until the returned function is called or the page ends. */
export const holdRecording = (id: string): (() => void) => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  // In a browser without locks, each page only knows its own recordings.
  navigator.locks?.request(`${LOCK_PREFIX}${id}`, () => held).catch(() => {})
  return release
}

/** Whether a page is recording it now. */
export const isRecorded = async (id: string): Promise<boolean> => {
  const state = await navigator.locks?.query().catch(() => undefined)
  return state?.held?.some(({ name }) => name === `${LOCK_PREFIX}${id}`) === true
}
