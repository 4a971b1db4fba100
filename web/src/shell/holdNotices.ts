import { afterFrames } from "../base/afterFrames.ts"
import type { Notices } from "../base/Notices.ts"

/**
 * Stops the messages' time while the pointer or focus is on their list, and restores the focus when the message that
 * had it leaves. Stops when the returned function is called.
 */
export const holdNotices = (list: HTMLElement, notices: Notices): (() => void) => {
  let cameFrom: EventTarget | null = null

  const isInside = (target: EventTarget | null) => target instanceof Node && list.contains(target)
  const hold = () => notices.hold()
  const enter = ({ relatedTarget }: FocusEvent) => {
    hold()
    if (!isInside(relatedTarget)) cameFrom = relatedTarget
  }
  const settle = () => {
    if (isInside(document.activeElement)) return
    if (!list.matches(":hover")) notices.release()
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (isLost && cameFrom instanceof HTMLElement && cameFrom.isConnected) cameFrom.focus()
    cameFrom = null
  }
  const settleSoon = () => afterFrames(2, settle)
  const finish = () => notices.finish()

  list.addEventListener("pointerover", hold)
  list.addEventListener("focusin", enter)
  list.addEventListener("pointerleave", settleSoon)
  list.addEventListener("focusout", settleSoon)
  window.addEventListener("pagehide", finish)
  const stop = notices.shown.subscribe(settleSoon)
  return () => {
    list.removeEventListener("pointerover", hold)
    list.removeEventListener("focusin", enter)
    list.removeEventListener("pointerleave", settleSoon)
    list.removeEventListener("focusout", settleSoon)
    window.removeEventListener("pagehide", finish)
    stop()
  }
}
