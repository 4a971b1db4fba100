import { say } from "../language/say.ts"
import type { SettingsStore } from "./SettingsStore.ts"
import { SETTING_VALUES, type SettingValues, type UserSettings } from "./settingValues.ts"

/** One possible value of a setting, with its display name. */
export interface SettingOption {
  readonly value: string
  readonly label: string
  readonly isChosen: (settings: UserSettings) => boolean
  readonly choose: (store: Pick<SettingsStore, "update">) => void
}

/** A setting with its values. */
export interface SettingChoice {
  readonly name: keyof SettingValues
  readonly label: string
  readonly hint?: string
  readonly options: ReadonlyArray<SettingOption>
}

const choice = <Name extends keyof SettingValues>(
  name: Name,
  values: ReadonlyArray<SettingValues[Name]>,
  label: string,
  labels: Readonly<Record<SettingValues[Name], string>>,
  change: (value: SettingValues[Name]) => Partial<SettingValues>,
  hint?: string
): SettingChoice => {
  return {
    name,
    label,
    ...(hint === undefined ? {} : { hint }),
    options: values.map((value) => ({
      value,
      label: labels[value],
      isChosen: (settings) => settings[name] === value,
      choose: (store) => store.update(change(value))
    }))
  }
}

/** Every setting a person can change here, as shown on the settings screen and in the palette. */
export const SETTING_CHOICES: ReadonlyArray<SettingChoice> = [
  choice(
    "language",
    SETTING_VALUES.language,
    say("Language"),
    // Each is called what it calls itself, so that its speakers find it.
    {
      system: say("Match device"),
      en: "English",
      de: "Deutsch",
      es: "Español",
      fr: "Français",
      ja: "日本語",
      zh: "中文",
      ar: "العربية"
    },
    (language) => ({ language })
  ),
  choice(
    "theme",
    SETTING_VALUES.theme,
    say("Colours"),
    {
      system: say("Match device"),
      light: say("Light"),
      dark: say("Dark"),
      sepia: say("Sepia"),
      midnight: say("Midnight"),
      contrast: say("High contrast")
    },
    (theme) => ({ theme }),
    say("Light or dark, like the device")
  ),
  choice(
    "density",
    SETTING_VALUES.density,
    say("Density"),
    { comfortable: say("Comfortable"), compact: say("Compact") },
    (density) => ({ density })
  ),
  choice(
    "textSize",
    ["small", "normal", "large", "largest"],
    say("Text size"),
    { small: say("Small"), normal: say("Normal"), large: say("Large"), largest: say("Largest") },
    (textSize) => ({ textSize })
  ),
  choice(
    "motion",
    SETTING_VALUES.motion,
    say("Motion"),
    { system: say("Match device"), reduced: say("Reduced") },
    (motion) => ({
      motion
    })
  ),
  choice(
    "sendKey",
    SETTING_VALUES.sendKey,
    say("Send messages with"),
    { enter: say("Enter"), "mod-enter": say("Ctrl+Enter") },
    (sendKey) => ({ sendKey }),
    say("With Enter, use Shift+Enter for a new line. With Ctrl+Enter (Cmd+Enter on a Mac), Enter starts a new line.")
  ),
  choice(
    "sessionGroups",
    SETTING_VALUES.sessionGroups,
    say("Sessions of several gateways"),
    { gateway: say("Grouped by gateway"), mixed: say("In one list") },
    (sessionGroups) => ({ sessionGroups })
  ),
  choice(
    "notifications",
    SETTING_VALUES.notifications,
    say("Notifications"),
    { off: say("Off"), on: say("On") },
    (notifications) => ({
      notifications
    })
  ),
  choice(
    "sound",
    SETTING_VALUES.sound,
    say("Sound with a notification"),
    { off: say("Off"), on: say("On") },
    (sound) => ({ sound })
  )
]
