/** Where a key leads in a menu: to the entry with an index, out of the menu, or nowhere. */
export const menuKey = (
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">,
  focused: number,
  labels: ReadonlyArray<string>
): number | "close" | null => {
  const count = labels.length
  if (event.key === "Escape" || event.key === "Tab") return "close"
  if (count === 0 || event.ctrlKey || event.metaKey || event.altKey) return null
  switch (event.key) {
    case "ArrowDown":
      return (focused + 1) % count
    case "ArrowUp":
      return focused <= 0 ? count - 1 : focused - 1
    case "Home":
      return 0
    case "End":
      return count - 1
  }
  return event.key.length === 1 && event.key !== " " ? startingWith(event.key, focused, labels) : null
}

/** The next entry after the focused one that starts with a letter. */
const startingWith = (letter: string, focused: number, labels: ReadonlyArray<string>): number | null => {
  const wanted = letter.toLocaleLowerCase()
  for (let step = 1; step <= labels.length; step++) {
    const index = (focused + step + labels.length) % labels.length
    if (labels[index]?.trim().toLocaleLowerCase().startsWith(wanted) === true) return index
  }
  return null
}
