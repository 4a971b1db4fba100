import { component$, Slot } from "@builder.io/qwik"
import { openSessions } from "../base/sessionRequest.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "./Icon.tsx"

/** Opens the drawer with the sessions on a phone. */
export const SessionsButton = component$(() => (
  <button
    type="button"
    class="icon-button only-phone"
    aria-label={say("Sessions")}
    data-open-sessions
    onClick$={() => openSessions()}
  >
    <Icon name="menu" />
  </button>
))

/** A screen's header: the sessions on a phone, the title, and the screen's own controls. */
export const ScreenHead = component$<{ readonly title: string }>((props) => (
  <header class="screen-head">
    <SessionsButton />
    <h1 tabIndex={-1}>{props.title}</h1>
    <Slot />
  </header>
))
