import { component$, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { ScreenHead } from "../ui/ScreenHead.tsx"
import { useServices } from "./ConsoleContext.ts"
import { followFocus } from "./followFocus.ts"
import { matchRoute } from "./routes.ts"
import { loadedScreen, loadScreen } from "./screens.ts"
import { useReadable } from "./useReadable.ts"

/** The screen of the present address, drawn when its chunk has arrived. */
export const ScreenView = component$(() => {
  const app = useServices()
  const location = useReadable(app.router.location)
  const arrived = useSignal(0)
  const failed = useSignal(false)
  const screen = matchRoute(location.value).screen

  useVisibleTask$(
    ({ track }) => {
      const wanted = matchRoute(track(() => location.value)).screen
      failed.value = false
      if (wanted === null || loadedScreen(wanted.name) !== undefined) return
      loadScreen(wanted).then(
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
  useVisibleTask$(({ cleanup }) => cleanup(followFocus(app.router)), { strategy: "document-ready" })

  if (screen === null) {
    return (
      <>
        <ScreenHead title="There is nothing here" />
        <div class="screen-note">
          <p>This address belongs to no screen.</p>
          <a class="button" href="/">
            Go to the conversations
          </a>
        </div>
      </>
    )
  }
  const { name, label } = screen
  const Screen = arrived.value >= 0 ? loadedScreen(name) : undefined
  if (Screen !== undefined) return <Screen key={name} />
  return (
    <>
      <ScreenHead title={label} />
      <div class="screen-note" role="status">
        {failed.value ? <p>This screen could not be loaded. Reload the page.</p> : <span class="spinner" />}
      </div>
    </>
  )
})
