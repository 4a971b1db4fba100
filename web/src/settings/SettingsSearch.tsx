import { component$, type Signal, useConstant } from "@builder.io/qwik"
import { searchCommands } from "../core/commands/searchCommands.ts"
import { say, sayCount } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { sectionPath } from "./sections.tsx"
import { settingsEntries } from "./settingsEntries.ts"
import "../ui/searchField.css"

/** The address of one setting on its page. */
const settingPath = (section: string, label: string, isPage: boolean): string =>
  isPage ? sectionPath(section) : `${sectionPath(section)}?${new URLSearchParams({ setting: label })}`

/** The field that searches all pages of the settings. */
export const SettingsSearch = component$<{ readonly words: Signal<string> }>((props) => (
  <div class="field-search settings-search">
    <Icon name="search" />
    <input
      id="settings-search"
      class="field"
      type="search"
      autocomplete="off"
      placeholder={say("Find a setting")}
      aria-label={say("Find a setting")}
      bind:value={props.words}
      onKeyDown$={(event) => {
        if (event.key !== "Enter" && event.key !== "ArrowDown") return
        const first = document.querySelector<HTMLElement>(".settings-found a")
        if (event.key === "Enter") first?.click()
        else first?.focus()
      }}
    />
  </div>
))

/** What the pages of the settings have for the words, each leading to its place. */
export const SettingsFound = component$<{ readonly words: string }>((props) => {
  const entries = useConstant(() => settingsEntries())
  const found = searchCommands(entries, props.words)
  const count = found.length
  return (
    <div class="settings-found">
      <p class="visually-hidden" role="status">
        {sayCount(count, "{count} result", "{count} results")}
      </p>
      {count === 0 && <p class="settings-note">{say("No settings found. Try other words.")}</p>}
      {found.map(({ group, label, section }) => (
        <a
          key={`${section} ${label}`}
          class="row plain-link space-between gap-3 settings-link"
          href={settingPath(section, label, group === "")}
        >
          <span class="stack can-shrink break-words">
            <span class="settings-name">{label}</span>
            {group !== "" && <span class="settings-note">{group}</span>}
          </span>
        </a>
      ))}
    </div>
  )
})
