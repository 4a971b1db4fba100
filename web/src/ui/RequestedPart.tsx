import { type Component, component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import type { Observable } from "../core/common/Observable.ts"
import { say } from "../core/language/say.ts"

interface RequestedPartProps {
  /** Null while nothing is requested. */
  readonly request: Observable<unknown>
  readonly load: () => Promise<Component>
}

/** A menu or dialog whose code loads with the first request for it; a request that can't be met is taken back. */
export const RequestedPart = component$<RequestedPartProps>((props) => {
  const { notices } = useServices()
  const asked = useReadable(props.request)
  const loaded = useSignal<{ readonly Part: Component } | null>(null)
  useBrowserTask$(({ track }) => {
    if (track(() => asked.value) === null || loaded.value !== null) return
    props.load().then(
      (Part) => {
        loaded.value = { Part }
      },
      () => {
        props.request.set(null)
        notices.show("error", say("Couldn't load this. Check the connection and try again."))
      }
    )
  })
  return asked.value === null || loaded.value === null ? null : <loaded.value.Part />
})
