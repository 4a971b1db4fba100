import { component$ } from "@builder.io/qwik"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { SECTION_GROUPS, sectionPath } from "./sections.ts"

/** All pages of the settings: beside the current one, or on a screen of their own, each with what is on it. */
export const SettingsPages = component$<{ readonly current: string | null }>((props) => (
  <nav class={["settings-pages", props.current !== null && "is-column"]} aria-label={say("Settings")}>
    {SECTION_GROUPS.map((group, index) => (
      <div key={index}>
        {group.map(({ about, label, name }) => (
          <a
            key={name}
            class="settings-link"
            href={sectionPath(name)}
            aria-current={name === props.current ? "page" : undefined}
          >
            <span>
              <span class="settings-name">{label}</span>
              {props.current === null && <span class="settings-note">{about}</span>}
            </span>
            {props.current === null && <Icon name="chevron-right" />}
          </a>
        ))}
      </div>
    ))}
  </nav>
))
