import { component$, Slot } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { openSessions } from "../base/sessionRequest.ts"
import { useReadable } from "../base/useReadable.ts"
import { say, sayCount } from "../core/language/say.ts"
import { Icon } from "./Icon.tsx"

/** Opens the drawer with screens and sessions on a phone, and says how many requests wait for a person. */
export const SessionsButton = component$<{ readonly label: string }>((props) => {
  const app = useServices()
  const waiting = useReadable(app.client.inbox.open)
  const count = waiting.value.length
  return (
    <button
      type="button"
      class="icon-button only-phone sessions-button"
      aria-label={
        count === 0
          ? props.label
          : sayCount(count, "{label}, {count} waiting for you", "{label}, {count} waiting for you", {
              label: props.label
            })
      }
      data-open-sessions
      onClick$={() => openSessions()}
    >
      <Icon name="menu" />
      {count > 0 && (
        <span class="count is-waiting" aria-hidden="true">
          {String(count)}
        </span>
      )}
    </button>
  )
})

/** A screen's header: the menu button on a phone, the title, and the screen's own controls. */
export const ScreenHead = component$<{ readonly title: string }>((props) => (
  <header class="screen-head">
    <SessionsButton label={say("Menu")} />
    <h1 tabIndex={-1}>{props.title}</h1>
    <Slot />
  </header>
))
