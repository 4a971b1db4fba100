import { component$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { useReadable } from "../app/useReadable.ts"

/** Says that what is shown may be old while the console's events do not come; appears after a moment. */
export const StaleNote = component$(() => {
  const app = useServices()
  const live = useReadable(app.console.events.connected)
  if (live.value) return null
  return (
    <p class="stale-note" role="status">
      <span class="spinner" aria-hidden="true" />
      <span>Reconnecting: what is shown may be old. What you type is kept.</span>
    </p>
  )
})
