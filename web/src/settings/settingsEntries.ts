import { say } from "../core/language/say.ts"
import { SETTING_CHOICES } from "../core/settings/settingChoices.ts"
import type { SettingValues } from "../core/settings/settingValues.ts"
import { SECTIONS } from "./sections.tsx"

/** Something that a page of the settings has, as the search over all pages finds it. */
export interface SettingsEntry {
  /** The page it's on. */
  readonly section: string
  /** As the page calls it. */
  readonly label: string
  /** The page's name; empty for the page itself. */
  readonly group: string
  /** What else finds it. */
  readonly keywords: string
}

/** The pages with choices of this browser. */
const CHOICES: Readonly<Record<string, ReadonlyArray<keyof SettingValues>>> = {
  appearance: ["language", "theme", "density", "textSize", "motion"],
  chat: ["sendKey"],
  gateways: ["sessionGroups"]
}

/** What the pages show besides those choices. */
const OTHERS: Readonly<Record<string, ReadonlyArray<string>>> = {
  voice: [
    say("Read responses aloud"),
    say("Spoken messages are"),
    say("Hands-free listening"),
    say("Speech recognition"),
    say("Language and voice"),
    say("Voice provider")
  ],
  notifications: [
    say("Notify me"),
    say("Play a sound"),
    say("Notify this device"),
    say("Notify about"),
    say("Show the text"),
    say("Allow without opening the console"),
    say("Quiet hours"),
    say("Devices")
  ],
  gateways: [say("Add gateway"), say("Change address or token")],
  agents: [say("New agent"), say("The gateway's own agents")],
  search: [say("Search tool output")],
  about: [say("Console"), say("Server's time zone"), say("Third-party licences"), say("Check for updates")]
}

/** Every page and everything on it. */
export const settingsEntries = (): ReadonlyArray<SettingsEntry> =>
  SECTIONS.flatMap(({ about, label: group, name }) => {
    const chosen = SETTING_CHOICES.filter((choice) => CHOICES[name]?.includes(choice.name) === true)
    return [
      { section: name, label: group, group: "", keywords: about },
      ...chosen.map(({ hint = "", label, options }) => ({
        section: name,
        label,
        group,
        keywords: [hint, ...options.map((option) => option.label)].join(" ")
      })),
      ...(OTHERS[name] ?? []).map((label) => ({ section: name, label, group, keywords: "" }))
    ]
  })
