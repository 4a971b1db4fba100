/** For how long it is waited for, in milliseconds. */
const PATIENCE_MS = 2_000

/** Puts the focus on what is about to be drawn in a part of the page, unless someone has put it elsewhere by then. */
export const focusWhenThere = (within: Element, selector: string): void => {
  const observer = new MutationObserver(() => {
    const found = within.querySelector<HTMLElement>(selector)
    if (found === null) return
    observer.disconnect()
    if (document.activeElement === document.body) found.focus()
  })
  observer.observe(within, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), PATIENCE_MS)
}
