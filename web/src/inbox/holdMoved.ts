import type { Readable } from "../core/common/Observable.ts"
import type { InboxItem } from "../core/inbox/inboxTypes.ts"

/** How long what came under a finger takes no decision: a double tap on the last item must not decide it too. */
export const HOLD_MS = 600

/**
 * Tells when items take another place, and when that was long enough ago: a tap that was meant for what was there must
 * not decide what is there now. Stops when the returned function is called.
 */
export const holdMoved = (
  open: Readable<ReadonlyArray<Pick<InboxItem, "id">>>,
  hold: (isHeld: boolean) => void
): (() => void) => {
  let known = open.get()
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = open.subscribe((items) => {
    const isInPlace = known.every(({ id }, index) => items[index]?.id === id)
    known = items
    if (isInPlace) return
    hold(true)
    clearTimeout(timer)
    timer = setTimeout(() => hold(false), HOLD_MS)
  })
  return () => {
    clearTimeout(timer)
    stop()
  }
}
