import { component$ } from "@builder.io/qwik"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { SECTIONS, sectionPath } from "./sections.ts"

/** All pages of the settings, each with what is on it. */
export const SettingsPages = component$(() => (
  <nav class="settings-pages" aria-label={say("Settings")}>
    {SECTIONS.map(({ about, label, name }) => (
      <a key={name} class="settings-link" href={sectionPath(name)}>
        <span>
          <span class="settings-name">{label}</span>
          <span class="settings-note">{about}</span>
        </span>
        <Icon name="chevron-right" />
      </a>
    ))}
  </nav>
))
