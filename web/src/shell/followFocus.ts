import { afterFrames } from "../base/afterFrames.ts"
import type { Router } from "../base/Router.ts"
import { matchRoute } from "../base/routes.ts"
import { loadScreen } from "./loadScreen.ts"

/** Frames until a new screen is ready: one to be drawn, one for its own tasks, which may take the focus. */
const FRAMES = 3

const focusHeading = () => {
  const main = document.getElementById("main")
  const heading = main?.querySelector("h1")
  const focused = document.activeElement
  // The area itself is only focused because someone clicked an empty spot.
  if (!(heading instanceof HTMLElement) || (focused !== main && main?.contains(focused) === true)) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

/**
 * Moves the focus to the heading of a newly opened screen, so that keyboards and screen readers start there; a screen
 * that takes the focus itself keeps it. Stops when the returned function is called.
 */
export const followFocus = (router: Pick<Router, "location">): (() => void) => {
  let shown = matchRoute(router.location.get()).screen
  return router.location.subscribe((location) => {
    const screen = matchRoute(location).screen
    if (screen === shown) return
    shown = screen
    const arrived = () =>
      afterFrames(FRAMES, () => {
        if (shown === screen) focusHeading()
      })
    if (screen === null) arrived()
    else loadScreen(screen.name).then(arrived, arrived)
  })
}
