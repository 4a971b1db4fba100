/** For how long it is waited for, in milliseconds. */
const PATIENCE_MS = 10_000

/**
 * Puts the focus on what is about to be drawn in a part of the page, however long a busy machine takes, unless someone
 * has put it elsewhere by then.
 */
export const focusWhenThere = (within: Element, selector: string): void => {
  const from = document.activeElement
  const observer = new MutationObserver(() => {
    const found = within.querySelector<HTMLElement>(selector)
    if (found === null) return
    observer.disconnect()
    if (document.activeElement === from || document.activeElement === document.body) found.focus()
  })
  observer.observe(within, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), PATIENCE_MS)
}
