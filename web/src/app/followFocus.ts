import { afterFrames } from "./afterFrames.ts"
import type { Router } from "./Router.ts"
import { matchRoute } from "./routes.ts"
import { loadScreen } from "./screens.ts"

/** Frames a new screen needs until it stands: one to be drawn, one for its own tasks, which may take the focus. */
const FRAMES = 3

const focusHeading = () => {
  const main = document.getElementById("main")
  const heading = main?.querySelector("h1")
  const focused = document.activeElement
  // The area itself is only focused because somebody pressed where nothing is.
  if (!(heading instanceof HTMLElement) || (focused !== main && main?.contains(focused) === true)) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

/**
 * Moves the focus to the heading of a screen just gone to, so that keyboards and screen readers begin there; a screen
 * that takes the focus itself keeps it. Ends when the returned function is called.
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
    else loadScreen(screen).then(arrived, arrived)
  })
}
