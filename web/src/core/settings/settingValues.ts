import type { Fields } from "../../../../src/contract/looseFields.ts"

/** The least and the most that the sidebar's width can be, in pixels. */
export const SIDEBAR_WIDTHS = { min: 220, max: 480 } as const

/** How far an arrow key moves its edge. */
const STEP = 16

/** The nearest width that the sidebar can have. */
export const inSidebarRange = (width: number): number =>
  Math.round(Math.min(SIDEBAR_WIDTHS.max, Math.max(SIDEBAR_WIDTHS.min, width)))

/** The width after a key on the sidebar's edge; null for a key that means nothing there. */
export const widthAfterKey = (key: string, width: number, isRightToLeft: boolean): number | null => {
  const outwards = isRightToLeft ? "ArrowLeft" : "ArrowRight"
  const inwards = isRightToLeft ? "ArrowRight" : "ArrowLeft"
  switch (key) {
    case outwards:
      return inSidebarRange(width + STEP)
    case inwards:
      return inSidebarRange(width - STEP)
    case "Home":
      return SIDEBAR_WIDTHS.min
    case "End":
      return SIDEBAR_WIDTHS.max
  }
  return null
}

/** The page's languages; the texts in the code are English. `public/theme.js` knows the same ones. */
export const LANGUAGES = ["en", "de", "es", "fr", "ja", "zh", "ar"] as const

/** The possible values of each setting; the first is the default. */
export const SETTING_VALUES = {
  theme: ["system", "light", "dark", "sepia", "midnight", "contrast"],
  /** `system` is the first of the browser's languages that the page is written in. */
  language: ["system", ...LANGUAGES],
  /** Compact saves space when using a mouse; touch targets stay the same size. */
  density: ["comfortable", "compact"],
  textSize: ["normal", "small", "large", "largest"],
  /** `system` follows the device's own preference for less motion. */
  motion: ["system", "reduced"],
  /** A collapsed sidebar leaves the rail with the screens. */
  sidebar: ["open", "collapsed"],
  /** `enter`: Enter sends, Shift+Enter adds a line break. `mod-enter`: Ctrl/Cmd+Enter sends. */
  sendKey: ["enter", "mod-enter"],
  /** How the sessions of several gateways are listed. */
  sessionGroups: ["gateway", "mixed"],
  notifications: ["off", "on"],
  sound: ["off", "on"]
} as const

/** What is chosen from a few values. */
export type SettingValues = {
  readonly [Name in keyof typeof SETTING_VALUES]: (typeof SETTING_VALUES)[Name][number]
}

/** What a person chose in this browser. */
export interface UserSettings extends SettingValues {
  /** In pixels; null for the usual width. */
  readonly sidebarWidth: number | null
}

const oneOf = <A extends string>(values: readonly [A, ...ReadonlyArray<A>], saved: unknown): A =>
  values.find((value) => value === saved) ?? values[0]

/** Saved settings; unknown ones are treated as never chosen. */
export const decodeSettings = (saved: Fields): UserSettings => ({
  theme: oneOf(SETTING_VALUES.theme, saved.theme),
  language: oneOf(SETTING_VALUES.language, saved.language),
  density: oneOf(SETTING_VALUES.density, saved.density),
  textSize: oneOf(SETTING_VALUES.textSize, saved.textSize),
  motion: oneOf(SETTING_VALUES.motion, saved.motion),
  sidebar: oneOf(SETTING_VALUES.sidebar, saved.sidebar),
  sidebarWidth: typeof saved.sidebarWidth === "number" ? inSidebarRange(saved.sidebarWidth) : null,
  sendKey: oneOf(SETTING_VALUES.sendKey, saved.sendKey),
  sessionGroups: oneOf(SETTING_VALUES.sessionGroups, saved.sessionGroups),
  notifications: oneOf(SETTING_VALUES.notifications, saved.notifications),
  sound: oneOf(SETTING_VALUES.sound, saved.sound)
})
