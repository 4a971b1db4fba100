/** One key press of a shortcut. `mod` is Ctrl, or Cmd on a Mac. */
export interface Stroke {
  /** As `KeyboardEvent.key`, in lower case. */
  readonly key: string
  readonly mod: boolean
  readonly alt: boolean
  /** Null for symbols, which need Shift on some keyboards and not on others. */
  readonly shift: boolean | null
}

/** The parts of a keyboard event that matter for shortcuts. */
export type KeyPress = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">

const isSign = (key: string) => key.length === 1 && !/[\p{L}\p{N}]/u.test(key)

/** Reads keys: strokes separated by spaces, modifiers (`mod`, `alt`, `shift`) before the key, joined by `+`. */
export const parseKeys = (keys: string): ReadonlyArray<Stroke> =>
  keys.split(" ").map((stroke) => {
    const parts = stroke === "+" ? ["+"] : stroke.split("+")
    const key = (parts.at(-1) ?? "").toLowerCase()
    const has = (name: string) => parts.slice(0, -1).includes(name)
    return { key, mod: has("mod"), alt: has("alt"), shift: isSign(key) ? null : has("shift") }
  })

/** Whether a key press matches a stroke. */
export const isStroke = (stroke: Stroke, press: KeyPress): boolean =>
  press.key.toLowerCase() === stroke.key &&
  (press.ctrlKey || press.metaKey) === stroke.mod &&
  press.altKey === stroke.alt &&
  (stroke.shift === null || press.shiftKey === stroke.shift)

const OF_THE_BROWSER =
  /^(mod\+(shift\+)?([0-9]|[acdfhijlmnopqrstuvwx]|tab|w|\+|-)|alt\+(arrowleft|arrowright|home|[abdefhstv]|f4)|f\d+|tab|space|escape)$/

/** Whether people need the keys for their browser or for text: tabs, windows, find, reload, zoom, clipboard. */
export const belongsToBrowser = (keys: string): boolean =>
  keys.split(" ").some((stroke) => OF_THE_BROWSER.test(stroke.toLowerCase()))

const NAMES: Readonly<Record<string, string>> = {
  arrowup: "↑",
  arrowdown: "↓",
  arrowleft: "←",
  arrowright: "→",
  escape: "Esc",
  enter: "Enter"
}

/** Keys in readable form: each stroke as a list of key caps. */
export const keyCaps = (keys: string, isMac: boolean): ReadonlyArray<ReadonlyArray<string>> =>
  parseKeys(keys).map(({ key, mod, alt, shift }) => [
    ...(mod ? [isMac ? "⌘" : "Ctrl"] : []),
    ...(alt ? [isMac ? "⌥" : "Alt"] : []),
    ...(shift === true ? [isMac ? "⇧" : "Shift"] : []),
    NAMES[key] ?? (/^(.|f\d+)$/.test(key) ? key.toUpperCase() : key)
  ])
