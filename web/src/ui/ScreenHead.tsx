import { component$, Slot } from "@builder.io/qwik"
import { say } from "../core/language/say.ts"
import { SessionsButton } from "./SessionsButton.tsx"

/** A screen's header: the menu button on a phone, the title, and the screen's own controls. */
export const ScreenHead = component$<{ readonly title: string }>((props) => (
  <header class="screen-head">
    <SessionsButton label={say("Menu")} />
    <h1 tabIndex={-1}>{props.title}</h1>
    <Slot />
  </header>
))
