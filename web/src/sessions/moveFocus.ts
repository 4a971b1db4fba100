const KEYS = ["ArrowDown", "ArrowUp", "Home", "End"]

/** Index that an arrow key leads to from the current one; it stops at the ends. */
export const nextIndex = (key: string, index: number, count: number): number => {
  if (key === "Home") return 0
  if (key === "End") return count - 1
  return Math.min(Math.max(key === "ArrowDown" ? index + 1 : index - 1, 0), count - 1)
}

/** Moves through a list's session links with the arrow keys; from the filter, the first arrow down enters the list. */
export const moveFocus = (list: HTMLElement, event: KeyboardEvent, from: EventTarget | null = event.target): void => {
  if (!KEYS.includes(event.key)) return
  const links = [...list.querySelectorAll<HTMLElement>("a[data-session]")]
  const index = from instanceof HTMLElement ? links.indexOf(from) : -1
  const inFilter = from instanceof HTMLInputElement
  if (inFilter && event.key !== "ArrowDown") return
  if (!inFilter && index === -1) return
  event.preventDefault()
  links[nextIndex(event.key, index, links.length)]?.focus()
}
