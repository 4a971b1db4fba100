import { type Component, component$, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { useReadable } from "../app/useReadable.ts"
import { sessionRequest } from "./sessionRequest.ts"

/** Where the menu and the dialogs of sessions are drawn; their chunk comes with their first use. */
export const SessionToolsPlace = component$(() => {
  const app = useServices()
  const request = useReadable(sessionRequest)
  const parts = useSignal<{ readonly Tools: Component } | null>(null)

  useVisibleTask$(
    ({ track }) => {
      if (track(() => request.value) === null || parts.value !== null) return
      import("./SessionTools.tsx").then(
        ({ SessionTools }) => {
          parts.value = { Tools: SessionTools }
        },
        () => {
          sessionRequest.set(null)
          app.notices.show("error", "This could not be loaded. Reload the page and try again.")
        }
      )
    },
    { strategy: "document-ready" }
  )

  if (request.value === null || parts.value === null) return null
  const { Tools } = parts.value
  return <Tools />
})
