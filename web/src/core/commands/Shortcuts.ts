import type { Command, CommandRegistry } from "./CommandRegistry.ts"

/** One key press of a shortcut. `mod` is Ctrl, or Cmd on a Mac. */
interface Stroke {
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
const parseKeys = (keys: string): ReadonlyArray<Stroke> =>
  keys.split(" ").map((stroke) => {
    const parts = stroke === "+" ? ["+"] : stroke.split("+")
    const key = (parts.at(-1) ?? "").toLowerCase()
    const has = (name: string) => parts.slice(0, -1).includes(name)
    return { key, mod: has("mod"), alt: has("alt"), shift: isSign(key) ? null : has("shift") }
  })

/** Whether a key press matches a stroke. */
const isStroke = (stroke: Stroke, press: KeyPress): boolean =>
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
  enter: "Enter",
  delete: "Delete",
  shift: "Shift"
}

/** Keys in readable form: each stroke as a list of key caps. */
export const keyCaps = (keys: string, isMac: boolean): ReadonlyArray<ReadonlyArray<string>> =>
  parseKeys(keys).map(({ key, mod, alt, shift }) => [
    ...(mod ? [isMac ? "⌘" : "Ctrl"] : []),
    ...(alt ? [isMac ? "⌥" : "Alt"] : []),
    ...(shift === true ? [isMac ? "⇧" : "Shift"] : []),
    NAMES[key] ?? (/^(.|f\d+)$/.test(key) ? key.toUpperCase() : key)
  ])

/** Longest pause between the keys of one shortcut, in milliseconds. */
const PAUSE_MS = 1_500
const MODIFIERS = new Set(["Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock"])

export interface Shortcuts {
  /**
   * The command that this press completes, or null. `at` is in milliseconds of any clock; while `typing` only
   * commands that allow it are found.
   */
  press(press: KeyPress, at: number, typing: boolean): Command | null
}

/** Finds the command for a sequence of key presses. */
export function createShortcuts(commands: Pick<CommandRegistry, "available">): Shortcuts {
  let presses: ReadonlyArray<KeyPress> = []
  let lastAt = 0
  return {
    press: (press, at, typing) => {
      if (MODIFIERS.has(press.key)) return null
      const pressed = at - lastAt > PAUSE_MS ? [] : presses
      lastAt = at
      const candidates = commands
        .available()
        .filter(
          (command) =>
            command.keys !== undefined &&
            command.helpOnly !== true &&
            !belongsToBrowser(command.keys) &&
            (!typing || command.whileTyping === true)
        )
      // A press that continues nothing may start something.
      for (const chain of pressed.length === 0 ? [[press]] : [[...pressed, press], [press]]) {
        const fitting = candidates.filter((command) => beginsWith(command.keys ?? "", chain))
        if (fitting.length === 0) continue
        const complete = fitting.find((command) => parseKeys(command.keys ?? "").length === chain.length)
        presses = complete === undefined ? chain : []
        return complete ?? null
      }
      presses = []
      return null
    }
  }
}

const beginsWith = (keys: string, presses: ReadonlyArray<KeyPress>): boolean => {
  const strokes = parseKeys(keys)
  return presses.every((press, index) => {
    const stroke = strokes[index]
    return stroke !== undefined && isStroke(stroke, press)
  })
}
