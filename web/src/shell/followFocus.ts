import { afterFrames } from "../base/afterFrames.ts"
import type { Router } from "../base/Router.ts"
import { matchRoute } from "../base/routes.ts"
import { loadScreen } from "./loadScreen.ts"

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
export const followFocus = (router: Pick<Router, "location">): (() => void) => {
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
    return isEntered || main()?.contains(focused) === true
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
