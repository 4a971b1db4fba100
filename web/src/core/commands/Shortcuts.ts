import type { Command, CommandRegistry } from "./CommandRegistry.ts"
import { belongsToBrowser, isStroke, type KeyPress, parseKeys } from "./keys.ts"

/** Longest pause between the keys of one shortcut, in milliseconds. */
const PAUSE_MS = 1_500
const MODIFIERS = new Set(["Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock"])

/** Finds the command for a sequence of key presses. */
export class Shortcuts {
  private presses: ReadonlyArray<KeyPress> = []
  private lastAt = 0

  private readonly commands: Pick<CommandRegistry, "available">

  constructor(commands: Pick<CommandRegistry, "available">) {
    this.commands = commands
  }

  /**
   * The command that this press completes, or null. `at` is in milliseconds of any clock; while `typing` only
   * commands that allow it are found.
   */
  press(press: KeyPress, at: number, typing: boolean): Command | null {
    if (MODIFIERS.has(press.key)) return null
    const pressed = at - this.lastAt > PAUSE_MS ? [] : this.presses
    this.lastAt = at
    const candidates = this.commands
      .available()
      .filter(
        (command) =>
          command.keys !== undefined &&
          command.helpOnly !== true &&
          !belongsToBrowser(command.keys) &&
          (!typing || command.whileTyping === true)
      )
    // A press that continues nothing may start something.
    for (const presses of pressed.length === 0 ? [[press]] : [[...pressed, press], [press]]) {
      const fitting = candidates.filter((command) => beginsWith(command.keys ?? "", presses))
      if (fitting.length === 0) continue
      const complete = fitting.find((command) => parseKeys(command.keys ?? "").length === presses.length)
      this.presses = complete === undefined ? presses : []
      return complete ?? null
    }
    this.presses = []
    return null
  }
}

const beginsWith = (keys: string, presses: ReadonlyArray<KeyPress>): boolean => {
  const strokes = parseKeys(keys)
  return presses.every((press, index) => {
    const stroke = strokes[index]
    return stroke !== undefined && isStroke(stroke, press)
  })
}
