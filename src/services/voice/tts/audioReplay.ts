import { Deferred, Effect, Exit, Stream } from "effect"
import type { ProviderError } from "../vendors/vendorErrors.ts"
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
