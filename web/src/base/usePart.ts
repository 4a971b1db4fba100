import { type Signal, useSignal } from "@builder.io/qwik"
import { useServices } from "./AppContext.ts"
import { followPart } from "./followPart.ts"
import { useBrowserTask$ } from "./useBrowserTask.ts"

/** A part of the page that has its own chunk. */
interface Arriving<A> {
  /** Null until it has arrived. */
  readonly part: A | null
  /** The last attempt to load it failed; it's repeated when the console can be reached again. */
  readonly failed: boolean
}

/** Loads a part once the component is on the page. `load` stays the same for the life of the component. */
export const usePart = <A>(load: () => Promise<A>): Signal<Arriving<A>> => {
  const app = useServices()
  const arriving = useSignal<Arriving<A>>({ part: null, failed: false })
  useBrowserTask$(({ cleanup }) => {
    const stop = followPart(
      app.client,
      load,
      (part) => {
        arriving.value = { part, failed: false }
      },
      () => {
        arriving.value = { part: null, failed: true }
      }
    )
    cleanup(stop)
  })
  return arriving
}
