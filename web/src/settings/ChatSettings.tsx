import { component$ } from "@builder.io/qwik"
import { ChoiceField } from "./ChoiceField.tsx"

/** How messages are written. */
export const ChatSettings = component$(() => (
  <div class="settings-page">
    <div class="settings-group">
      <ChoiceField name="sendKey" />
    </div>
  </div>
))
