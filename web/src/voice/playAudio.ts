import type { Playing } from "../core/voice/Speaker.ts"

const SAMPLES = 8
const HEADER = 44

/** An empty WAV file. */
const silence = (): Blob => {
  const bytes = new DataView(new ArrayBuffer(HEADER + SAMPLES))
  const text = (at: number, value: string) => {
    for (let index = 0; index < value.length; index += 1) bytes.setUint8(at + index, value.charCodeAt(index))
  }
  text(0, "RIFF")
  bytes.setUint32(4, HEADER - 8 + SAMPLES, true)
  text(8, "WAVEfmt ")
  bytes.setUint32(16, 16, true)
  bytes.setUint16(20, 1, true)
  bytes.setUint16(22, 1, true)
  bytes.setUint32(24, 8_000, true)
  bytes.setUint32(28, 8_000, true)
  bytes.setUint16(32, 1, true)
  bytes.setUint16(34, 8, true)
  text(36, "data")
  bytes.setUint32(40, SAMPLES, true)
  for (let index = 0; index < SAMPLES; index += 1) bytes.setUint8(HEADER + index, 128)
  return new Blob([bytes], { type: "audio/wav" })
}

let element: HTMLAudioElement | undefined

const player = (): HTMLAudioElement => {
  element ??= new Audio()
  return element
}

/** Plays audio with the page's only player. */
export const playAudio = (audio: Blob): Playing => {
  const sound = player()
  const url = URL.createObjectURL(audio)
  const over = new AbortController()
  const ended = new Promise<void>((resolve, reject) => {
    const finish = (settle: () => void) => {
      over.abort()
      URL.revokeObjectURL(url)
      settle()
    }
    const { signal } = over
    sound.addEventListener("ended", () => finish(resolve), { signal })
    sound.addEventListener("pause", () => finish(resolve), { signal })
    sound.addEventListener("error", () => finish(() => reject(new Error("can't be played"))), { signal })
    sound.src = url
    sound.play().catch((reason: unknown) => {
      if (!signal.aborted) finish(() => reject(reason))
    })
  })
  return { ended, stop: () => sound.pause() }
}

let isUnlocked = false

/** Plays nothing on a button press, so that browsers that require one allow a later response to play. */
export const unlockAudio = (): void => {
  if (isUnlocked) return
  isUnlocked = true
  playAudio(silence()).ended.catch(() => {
    isUnlocked = false
  })
}
