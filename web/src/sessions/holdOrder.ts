import { sessionRequest } from "../base/sessionRequest.ts"

/**
 * Tells whether somebody is at the list: the mouse or the keyboard's focus is on a row, or the menu of one is open.
 * Stops when the returned function is called.
 */
export const holdOrder = (list: HTMLElement, tell: (isHeld: boolean) => void): (() => void) => {
  let isPointed = false
  let isFocused = false
  const decide = () => tell(isPointed || isFocused || sessionRequest.get()?.kind === "menu")
  const onPoint = (event: PointerEvent) => {
    isPointed = event.type === "pointerenter" && event.pointerType === "mouse"
    decide()
  }
  const onFocus = (event: FocusEvent) => {
    // What a click or a tap leaves focused isn't where somebody is.
    isFocused = event.type === "focusin" && event.target instanceof Element && event.target.matches(":focus-visible")
    decide()
  }
  const stopMenu = sessionRequest.subscribe(decide)
  for (const name of ["pointerenter", "pointerleave"] as const) list.addEventListener(name, onPoint)
  for (const name of ["focusin", "focusout"] as const) list.addEventListener(name, onFocus)
  return () => {
    stopMenu()
    for (const name of ["pointerenter", "pointerleave"] as const) list.removeEventListener(name, onPoint)
    for (const name of ["focusin", "focusout"] as const) list.removeEventListener(name, onFocus)
  }
}
