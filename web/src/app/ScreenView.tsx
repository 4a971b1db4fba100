import { component$, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "./ConsoleContext.ts"
import { matchRoute } from "./routes.ts"
import { loadedScreen, loadScreen } from "./screens.ts"
import { useReadable } from "./useReadable.ts"

/** The screen of the present address, drawn when its chunk has arrived. */
export const ScreenView = component$(() => {
  const app = useServices()
  const location = useReadable(app.router.location)
  const arrived = useSignal(0)
  const failed = useSignal(false)
  const screen = matchRoute(location.value.pathname).screen

  useVisibleTask$(
    ({ track }) => {
      const name = matchRoute(track(() => location.value).pathname).screen
      if (name === "unknown" || loadedScreen(name) !== undefined) return
      failed.value = false
      loadScreen(name).then(
        () => {
          arrived.value++
        },
        () => {
          failed.value = true
        }
      )
    },
    { strategy: "document-ready" }
  )

  if (screen === "unknown") {
    return (
      <div class="screen-note">
        <h1>There is nothing here</h1>
        <p>This address belongs to no screen.</p>
        <a class="button" href="/">
          Go to the conversations
        </a>
      </div>
    )
  }
  const Screen = arrived.value >= 0 ? loadedScreen(screen) : undefined
  if (Screen !== undefined) return <Screen />
  return (
    <div class="screen-note" role="status">
      {failed.value ? <p>This screen could not be loaded. Reload the page.</p> : <span class="spinner" />}
    </div>
  )
})
