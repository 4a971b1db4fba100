import { Deferred, Effect, Exit, Stream } from "effect"
import type { ProviderError } from "../vendors/vendorCall.ts"
import type { Emit } from "./spokenAudio.ts"

interface Step {
  readonly chunk: Uint8Array
  readonly next: Next
}

/** The next step, or the end. */
type Next = Deferred.Deferred<Step | undefined, ProviderError>

/** Audio with one writer and any number of readers, each of which reads from the start, also during writing. */
export interface AudioReplay {
  /** Waits for the first bytes; fails if there are none. */
  readonly begun: Effect.Effect<void, ProviderError>
  /** All bytes; fails if writing failed. */
  readonly bytes: Stream.Stream<Uint8Array, ProviderError>
  /** The number of bytes written so far. */
  readonly size: () => number
}

/** A new replay, and the effect that fills it with what `work` emits. */
export const makeAudioReplay = <R>(work: (emit: Emit) => Effect.Effect<void, ProviderError, R>) => {
  const first: Next = Deferred.makeUnsafe()
  let last = first
  let size = 0
  const emit: Emit = (chunk) => {
    const next: Next = Deferred.makeUnsafe()
    size += chunk.length
    Deferred.doneUnsafe(last, Exit.succeed({ chunk, next }))
    last = next
  }
  const write = work(emit).pipe(
    Effect.onExit((exit) =>
      Effect.sync(() =>
        Deferred.doneUnsafe(
          last,
          Exit.map(exit, () => undefined)
        )
      )
    )
  )
  const replay: AudioReplay = {
    begun: Effect.asVoid(Deferred.await(first)),
    bytes: Stream.unfold(first, (at) =>
      Effect.map(Deferred.await(at), (step) => (step === undefined ? undefined : ([step.chunk, step.next] as const)))
    ),
    size: () => size
  }
  return { replay, write }
}

/** Cache limits. */
export interface AudioStoreLimits {
  readonly entries: number
  readonly bytes: number
  readonly ttlMs: number
}

interface Entry {
  readonly replay: AudioReplay
  /** Expiry in epoch milliseconds; `undefined` while it's still being written. */
  expires: number | undefined
}

/**
 * Audio in progress or recently made, by plan name. Audio in progress doesn't count towards limits, so that
 * simultaneous requests always share it. Finished audio is limited by age, number and bytes; the least recently used is
 * dropped first.
 */
export class AudioStore {
  readonly #entries = new Map<string, Entry>()
  readonly #limits: AudioStoreLimits

  constructor(limits: AudioStoreLimits) {
    this.#limits = limits
  }

  /** The audio for a key. */
  get(key: string, now: number): AudioReplay | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    if (entry.expires !== undefined && entry.expires <= now) return undefined
    this.#entries.set(key, entry)
    return entry.replay
  }

  /** Adds audio in progress. */
  begin(key: string, replay: AudioReplay): void {
    this.#entries.set(key, { replay, expires: undefined })
  }

  /** Caches complete audio within the limits. */
  finish(key: string, now: number): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    entry.expires = now + this.#limits.ttlMs
    this.#trim(now)
  }

  /** Drops failed audio. */
  drop(key: string): void {
    this.#entries.delete(key)
  }

  #trim(now: number): void {
    const done = [...this.#entries].filter(([, { expires }]) => expires !== undefined)
    let bytes = done.reduce((sum, [, { replay }]) => sum + replay.size(), 0)
    let count = done.length
    for (const [key, { replay, expires = 0 }] of done) {
      if (expires > now && count <= this.#limits.entries && bytes <= this.#limits.bytes) continue
      this.#entries.delete(key)
      count -= 1
      bytes -= replay.size()
    }
  }
}
