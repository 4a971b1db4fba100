import { component$, Slot } from "@builder.io/qwik"
import { openSessions } from "../app/openSessions.ts"
import { Icon } from "./Icon.tsx"

/** The head of a screen: the menu button on a phone, the title, and the screen's own controls after it. */
export const ScreenHead = component$<{ readonly title: string }>((props) => (
  <header class="screen-head">
    <button
      type="button"
      class="icon-button only-phone"
      aria-label="Menu"
      data-open-sessions
      onClick$={() => openSessions()}
    >
      <Icon name="menu" />
    </button>
    <h1 tabIndex={-1}>{props.title}</h1>
    <Slot />
  </header>
))
