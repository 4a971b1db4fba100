import type { Recording } from "../core/voice/Talk.ts"
import { type Microphone, openMicrophone, recordFrom } from "./microphone.ts"

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
