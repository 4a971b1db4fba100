import { component$ } from "@builder.io/qwik"
import { say } from "../core/language/say.ts"
import { ChoiceField } from "./ChoiceField.tsx"
import { ChoiceSelect } from "./ChoiceSelect.tsx"
import { ThemeField } from "./ThemeField.tsx"

/** How the console looks in this browser. */
export const AppearanceSettings = component$(() => (
  <div class="settings-page">
    <div class="settings-group">
      <ThemeField />
      <ChoiceSelect name="language" />
      <ChoiceField name="density" />
      <ChoiceField name="textSize" />
      <ChoiceField name="motion" />
    </div>
    <p class="settings-note">{say("These settings apply right away in all tabs of this browser.")}</p>
  </div>
))
