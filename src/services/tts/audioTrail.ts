import { Deferred, Effect, Exit, Stream } from "effect"
import type { ProviderError } from "../vendors/vendorErrors.ts"
import type { Emit } from "./spokenAudio.ts"

interface Step {
  readonly chunk: Uint8Array
  readonly next: Next
}

/** The step that comes next, or the end. */
type Next = Deferred.Deferred<Step | undefined, ProviderError>

/** Audio that is written once and read by any number of readers, each from its beginning, also while it is written. */
export interface AudioTrail {
  /** Waits for the first bytes; fails where there never are any. */
  readonly begun: Effect.Effect<void, ProviderError>
  /** All bytes; fails where the writing failed. */
  readonly bytes: Stream.Stream<Uint8Array, ProviderError>
  /** How many bytes were written so far. */
  readonly size: () => number
}

/** A new trail, and the effect that writes it to its end with what `work` emits. */
export const makeAudioTrail = <R>(work: (emit: Emit) => Effect.Effect<void, ProviderError, R>) => {
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
  const trail: AudioTrail = {
    begun: Effect.asVoid(Deferred.await(first)),
    bytes: Stream.unfold(first, (at) =>
      Effect.map(Deferred.await(at), (step) => (step === undefined ? undefined : ([step.chunk, step.next] as const)))
    ),
    size: () => size
  }
  return { trail, write }
}
