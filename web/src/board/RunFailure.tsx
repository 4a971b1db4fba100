import { component$, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { inPageLanguage } from "../core/link/inPageLanguage.ts"

/** Why a run failed, as the console's server says it, in the page's language as soon as that's there. */
export const RunFailure = component$<{ readonly text: string }>((props) => {
  const said = useSignal(props.text)
  useVisibleTask$(
    ({ cleanup, track }) => {
      const text = track(() => props.text)
      let isOver = false
      cleanup(() => {
        isOver = true
      })
      said.value = text
      void inPageLanguage(text).then((words) => {
        if (!isOver) said.value = words
      })
    },
    { strategy: "document-ready" }
  )
  return <p class="run-failure">{said.value}</p>
})
