import { $, component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { afterFrames } from "../base/afterFrames.ts"
import { followPart, LOADS_LATER } from "../base/followPart.ts"
import type { Router } from "../base/Router.ts"
import { matchRoute, type Screen } from "../base/routes.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { below } from "../core/common/basePath.ts"
import { say } from "../core/language/say.ts"
import { ErrorState } from "../ui/ErrorState.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { ScreenHead } from "../ui/ScreenHead.tsx"
import { loadedScreen, loadScreen } from "./loadScreen.ts"

/** Frames until a new screen is ready: one to be drawn, one for its own tasks, which may take the focus. */
const FRAMES = 3

const focusHeading = () => {
  const heading = document.querySelector<HTMLElement>("#main h1")
  if (heading === null) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

/**
 * Moves the focus to the heading of a newly opened screen, so that keyboards and screen readers start there; a screen
 * that takes the focus itself keeps it, and so does whatever someone went on to from there. Stops when the returned
 * function is called.
 */
const followFocus = (router: Pick<Router, "location">): (() => void) => {
  let shown = matchRoute(router.location.get()).screen
  /** Something in the screen has had the focus since it was opened. */
  let isEntered = false
  const main = () => document.getElementById("main")
  const onFocus = ({ target }: FocusEvent) => {
    if (target instanceof Node && target !== main() && main()?.contains(target) === true) isEntered = true
  }
  const isSettled = () => {
    const focused = document.activeElement
    // The area itself is only focused because someone clicked an empty spot.
    if (focused === null || focused === document.body || focused === main()) return false
    return isEntered || main()?.contains(focused) === true || focused.closest(":popover-open, dialog[open]") !== null
  }
  document.addEventListener("focusin", onFocus)
  const stop = router.location.subscribe((location) => {
    const screen = matchRoute(location).screen
    if (screen === shown) return
    shown = screen
    isEntered = false
    const arrived = () =>
      afterFrames(FRAMES, () => {
        if (shown === screen && !isSettled()) focusHeading()
      })
    if (screen === null) arrived()
    else loadScreen(screen.name).then(arrived, arrived)
  })
  return () => {
    stop()
    document.removeEventListener("focusin", onFocus)
  }
}

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

  const reload = $(() => window.location.reload())
  if (screen === null) {
    return (
      <>
        <ScreenHead title={say("Page not found")} />
        <ErrorState
          isMissing
          title={say("There's no page at this address.")}
          action={say("Go to chat")}
          href={below("/")}
        />
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
      {failed.value ? (
        <ErrorState
          title={say("Couldn't load this page")}
          text={
            reachable.value
              ? LOADS_LATER
              : say("This page isn't on your device yet. It opens when the console can be reached again.")
          }
          action={say("Reload")}
          {...(reachable.value ? { onRetry$: reload } : {})}
        />
      ) : (
        <LoadingState label={say("Loading…")} />
      )}
    </>
  )
})
