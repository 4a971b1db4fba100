import { component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { afterFrames } from "../base/afterFrames.ts"
import type { Notices } from "../base/Notices.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { say } from "../core/language/say.ts"
import { IconButton } from "../ui/IconButton.tsx"

/**
 * Stops the messages' time while the pointer or focus is on their list, and restores the focus when the message that
 * had it leaves. Stops when the returned function is called.
 */
const holdNotices = (list: HTMLElement, notices: Notices): (() => void) => {
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

/** Shows the page's short messages and announces them politely; they wait while the pointer or the focus is on them. */
export const NoticeList = component$(() => {
  const app = useServices()
  const shown = useReadable(app.notices.shown)
  const list = useSignal<HTMLElement>()

  useBrowserTask$(({ cleanup }) => {
    if (list.value !== undefined) cleanup(holdNotices(list.value, app.notices))
  })

  return (
    <div ref={list} class="notices" role="status" aria-live="polite">
      {shown.value.map((notice) => (
        <div key={notice.id} class={["notice", `is-${notice.tone}`]}>
          <span class="notice-text">{notice.text}</span>
          {notice.action !== undefined && (
            <button type="button" class="button is-small" onClick$={() => app.notices.act(notice.id)}>
              {notice.action.label}
            </button>
          )}
          <IconButton icon="x" label={say("Dismiss")} onClick$={() => app.notices.dismiss(notice.id)} />
        </div>
      ))}
    </div>
  )
})
