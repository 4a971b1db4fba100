import { component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { followPart } from "../base/followPart.ts"
import { matchRoute } from "../base/routes.ts"
import type { Screen } from "../base/screens.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { say } from "../core/language/say.ts"
import { ScreenHead } from "../ui/ScreenHead.tsx"
import { followFocus } from "./followFocus.ts"
import { loadedScreen, loadScreen } from "./loadScreen.ts"

const labelOf = (screen: Screen): string => screen.label

/** The current address's screen, drawn when its chunk has arrived. */
export const ScreenView = component$(() => {
  const app = useServices()
  const location = useReadable(app.router.location)
  const arrived = useSignal(0)
  const failed = useSignal(false)
  const reachable = useReadable(app.client.events.connected)
  const screen = matchRoute(location.value).screen

  useBrowserTask$(({ track, cleanup }) => {
    const wanted = matchRoute(track(() => location.value)).screen
    failed.value = false
    if (wanted === null || loadedScreen(wanted.name) !== undefined) return
    const stop = followPart(
      app.client,
      () => loadScreen(wanted.name),
      () => {
        failed.value = false
        arrived.value++
      },
      () => {
        failed.value = true
      }
    )
    cleanup(stop)
  })
  useBrowserTask$(({ cleanup }) => cleanup(followFocus(app.router)))

  if (screen === null) {
    return (
      <>
        <ScreenHead title={say("Page not found")} />
        <div class="screen-note">
          <p>{say("There's no page at this address.")}</p>
          <a class="button" href="/">
            {say("Go to chat")}
          </a>
        </div>
      </>
    )
  }
  const { name } = screen
  const label = labelOf(screen)
  const Shown = arrived.value >= 0 ? loadedScreen(name) : undefined
  if (Shown !== undefined) return <Shown key={name} />
  return (
    <>
      <ScreenHead title={label} />
      <div class="screen-note" role="status">
        {failed.value ? (
          <p>
            {reachable.value
              ? say("Couldn't load this page. Reload to try again.")
              : say("This page isn't on your device yet. It opens when the console can be reached again.")}
          </p>
        ) : (
          <span class="spinner" />
        )}
      </div>
    </>
  )
})
