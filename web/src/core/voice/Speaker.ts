import { type ActionResult, createObservable, type Readable } from "../common/Observable.ts"

/** Longest text the console's server speaks at once, in UTF-16 code units. */
const MOST = 5_000
/** The first part is short, so that it's soon heard. */
const FIRST = 1_000

/** Where a part may end, best first: after a line, a sentence, a clause, a word. */
const ENDS = [/\n/g, /[.!?…](?=\s)|[。！？]|।/gu, /[,;:](?=\s)|[、，；：]/gu, /\s/g]

/** Where to cut a text so that the part before has at most `most` code units, and the break is heard least. */
const cutAt = (text: string, most: number): number => {
  const start = text.slice(0, most)
  for (const end of ENDS) {
    const last = [...start.matchAll(end)].at(-1)
    // A part of a few words costs as much as a long one.
    if (last !== undefined && last.index > most / 4) return last.index + last[0].length
  }
  // Half a pair would be no character.
  return start.isWellFormed() || !text.isWellFormed() ? most : most - 1
}

/** A text in the parts in which it's spoken one after the other; none if there's nothing to say. */
export const spokenParts = (text: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let rest = text.trim()
  while (rest !== "") {
    const most = parts.length === 0 && rest.length > FIRST ? FIRST : MOST
    const end = rest.length <= most ? rest.length : cutAt(rest, most)
    const part = rest.slice(0, end).trim()
    if (part !== "") parts.push(part)
    rest = rest.slice(end).trim()
  }
  return parts
}

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

export interface Speaker {
  /** Whether something is being prepared or read aloud. */
  readonly speaking: Readable<boolean>
  /** Reads a text of any length, part by part. */
  say(text: string): Promise<void>
  /** Silences it at once. */
  stop(): void
}

/** Reads texts aloud, one at a time; a new one stops the previous one. */
export function createSpeaker({ onBlocked, onProblem, play, speak }: SpeakerParts): Speaker {
  const speaking = createObservable(false)
  let abort = new AbortController()
  let playing: Playing | null = null

  /** Plays one part; whether it was heard. */
  async function isPlayed(audio: Blob, signal: AbortSignal): Promise<boolean> {
    const sound = play(audio)
    playing = sound
    const wasPlayed = await sound.ended.then(
      () => true,
      () => false
    )
    if (!signal.aborted) playing = null
    return wasPlayed
  }

  /** Reads parts from one of them on, whose audio may be there already. The next one is prepared meanwhile. */
  async function read(parts: ReadonlyArray<string>, signal: AbortSignal, ready?: Promise<ActionResult<Blob>>) {
    const [part, ...others] = parts
    if (part === undefined) return speaking.set(false)
    speaking.set(true)
    const result = await (ready ?? speak(part, signal))
    if (signal.aborted) return
    if (!result.ok) {
      speaking.set(false)
      onProblem(result.message)
      return
    }
    const [following] = others
    const next = following === undefined ? undefined : speak(following, signal)
    const wasPlayed = await isPlayed(result.value, signal)
    if (signal.aborted) return
    if (wasPlayed) return read(others, signal, next)
    speaking.set(false)
    onBlocked(() => void read(parts, signal, Promise.resolve(result)))
  }

  function stop(): void {
    abort.abort()
    abort = new AbortController()
    playing?.stop()
    playing = null
    speaking.set(false)
  }

  return {
    speaking,
    say: async (text) => {
      stop()
      await read(spokenParts(text), abort.signal)
    },
    stop
  }
}
