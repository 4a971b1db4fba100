import { type Component, component$, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import "./firstRun.css"

/** Keeps the place of the first-run checklist, so that nothing moves when it comes; without it the place stays empty. */
export const FirstRunPlace = component$(() => {
  const part = useSignal<{ readonly FirstRun: Component } | null>(null)
  useVisibleTask$(
    () => {
      import("./FirstRun.tsx").then(
        ({ FirstRun }) => {
          part.value = { FirstRun }
        },
        () => {}
      )
    },
    { strategy: "document-ready" }
  )
  if (part.value === null) return <div class="first-run-place" />
  const { FirstRun } = part.value
  return (
    <div class="first-run-place">
      <FirstRun />
    </div>
  )
})
