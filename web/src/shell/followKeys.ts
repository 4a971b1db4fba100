import type { AppServices } from "../base/AppContext.ts"
import { createShortcuts } from "../core/commands/Shortcuts.ts"

const TEXT_FIELDS =
  'textarea, select, [contenteditable="true"], input:not([type=checkbox], [type=radio], [type=button])'

/** Whether a key pressed there types or selects something. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(TEXT_FIELDS) !== null

/**
 * Runs commands by their keys. Keys that a screen handled itself, or that are pressed in a dialog or menu, are
 * ignored.
 */
export const followKeys = ({ commands }: Pick<AppServices, "commands">): void => {
  const shortcuts = createShortcuts(commands)
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.repeat) return
    if (document.querySelector("dialog[open], :popover-open") !== null) return
    const command = shortcuts.press(event, event.timeStamp, isTyping(event.target))
    if (command === null) return
    event.preventDefault()
    void command.run()
  })
}
