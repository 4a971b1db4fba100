/** What browsers report as `keyCode` for a key that an input method takes, some of them without `isComposing`. */
const TAKEN = 229

/** Whether a key press belongs to an input method that composes a word; Safari's Enter that ends it comes afterwards. */
const belongsToInputMethod = (event: Partial<Pick<KeyboardEvent, "isComposing" | "keyCode">>): boolean =>
  event.isComposing === true || event.keyCode === TAKEN

/**
 * Keeps the keys with which people write Chinese, Japanese, Korean and other scripts from everything on the page: they
 * choose and confirm what is being written, and nothing else. No field and no list has to ask for itself. What a
 * browser does with Escape, such as closing a dialog, doesn't happen either.
 */
export const guardComposing = (page: EventTarget): void =>
  page.addEventListener(
    "keydown",
    (event: Event & Partial<Pick<KeyboardEvent, "isComposing" | "key" | "keyCode">>) => {
      if (!belongsToInputMethod(event)) return
      event.stopImmediatePropagation()
      if (event.key === "Escape") event.preventDefault()
    },
    { capture: true }
  )
