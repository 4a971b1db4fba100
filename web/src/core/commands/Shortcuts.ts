import type { Command, CommandRegistry } from "./CommandRegistry.ts"
import { belongsToBrowser, isStroke, type KeyPress, parseKeys } from "./keys.ts"

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
