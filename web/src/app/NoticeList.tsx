import { component$ } from "@builder.io/qwik"
import { Icon } from "../ui/Icon.tsx"
import { useServices } from "./ConsoleContext.ts"
import { useReadable } from "./useReadable.ts"

/** Shows the page's short messages and announces them politely. */
export const NoticeList = component$(() => {
  const app = useServices()
  const shown = useReadable(app.notices.shown)
  return (
    <div class="notices" role="status" aria-live="polite">
      {shown.value.map((notice) => (
        <div key={notice.id} class={["notice", `is-${notice.tone}`]}>
          <span class="notice-text">{notice.text}</span>
          {notice.action !== undefined && (
            <button type="button" class="button is-small" onClick$={() => notice.action?.run()}>
              {notice.action.label}
            </button>
          )}
          <button
            type="button"
            class="icon-button"
            aria-label="Dismiss this message"
            onClick$={() => app.notices.dismiss(notice.id)}
          >
            <Icon name="x" />
          </button>
        </div>
      ))}
    </div>
  )
})
