import { type Component, component$, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { ErrorState } from "./ErrorState.tsx"
import { LoadingState } from "./LoadingState.tsx"

/** A part of a screen that comes with a chunk of its own; `load` stays the same for the life of the part. */
export const LazyPart = component$<{ readonly load: () => Promise<Component> }>((props) => {
  const part = useSignal<{ readonly Part: Component } | null>(null)
  const failed = useSignal(false)
  useVisibleTask$(
    () => {
      props.load().then(
        (Part) => {
          part.value = { Part }
        },
        () => {
          failed.value = true
        }
      )
    },
    { strategy: "document-ready" }
  )
  if (failed.value) return <ErrorState title="This part could not be loaded" text="Reload the page and try again." />
  if (part.value === null) return <LoadingState label="Loading…" />
  const { Part } = part.value
  return <Part />
})
