import { type Signal, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import type { Observable } from "../core/common/Observable.ts"
import { withTexts } from "../core/language/catalogue.ts"
import { say } from "../core/language/say.ts"
import { useServices } from "./AppContext.ts"
import { followPart } from "./followPart.ts"
import { useReadable } from "./useReadable.ts"

/** A part of the page that has its own chunk. */
export interface Arriving<A> {
  /** Null until it has arrived. */
  readonly part: A | null
  /** The last attempt to load it failed; it's repeated when the console can be reached again. */
  readonly failed: boolean
}

/** Loads a part once the component is on the page. `load` stays the same for the life of the component. */
export const usePart = <A>(load: () => Promise<A>): Signal<Arriving<A>> => {
  const app = useServices()
  const arriving = useSignal<Arriving<A>>({ part: null, failed: false })
  useVisibleTask$(
    ({ cleanup }) => {
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
    },
    { strategy: "document-ready" }
  )
  return arriving
}

/** Loads a part with the first request for it; a request whose part can't be loaded is taken back, and a notice says so. */
export const useRequestedPart = <R, A>(
  request: Observable<R | null>,
  load: () => Promise<A>
): { readonly asked: Signal<R | null>; readonly part: Signal<A | null> } => {
  const { notices } = useServices()
  const asked = useReadable(request)
  const part = useSignal<A | null>(null)
  useVisibleTask$(
    ({ track }) => {
      if (track(() => asked.value) === null || part.value !== null) return
      withTexts(load).then(
        (loaded) => {
          part.value = loaded
        },
        () => {
          request.set(null)
          notices.show("error", say("Couldn't load this. Check the connection and try again."))
        }
      )
    },
    { strategy: "document-ready" }
  )
  return { asked, part }
}
