import { type Signal, useSignal } from "@builder.io/qwik"
import { useBrowserTask$ } from "./useBrowserTask.ts"

/** What was typed into the forms of one kind, by what each is about, for the life of the page. */
export type Kept<A> = Map<string, A>

export const keptValues = <A>(): Kept<A> => new Map()

/**
 * A signal whose changed value outlives its form, which the sign-in screen may replace at any moment. The form deletes it
 * from `kept` once it was saved, or discarded on purpose.
 */
export const useKept = <A>(kept: Kept<A>, key: string, start: () => A): Signal<A> => {
  const before = useSignal(start)
  const value = useSignal(() => kept.get(key) ?? before.value)
  useBrowserTask$(({ track }) => {
    const now = track(value)
    if (now === before.value) kept.delete(key)
    else kept.set(key, now)
  })
  return value
}
