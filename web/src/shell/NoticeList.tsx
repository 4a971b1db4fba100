import { component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { holdNotices } from "./holdNotices.ts"

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
          <button
            type="button"
            class="icon-button"
            aria-label={say("Dismiss")}
            onClick$={() => app.notices.dismiss(notice.id)}
          >
            <Icon name="x" />
          </button>
        </div>
      ))}
    </div>
  )
})
