/** The parts of the screen that keys move between. */
export interface SearchKeys {
  readonly field: HTMLInputElement
  /** The element with the hits, each a link with `data-hit`. */
  readonly list: HTMLElement
  /** Searches at once; resolves when the hits are drawn. */
  readonly search: () => Promise<void>
  /** Loads more hits after the last one, and goes to the first of them. */
  readonly more: () => void
}

const linksIn = (list: HTMLElement) => [...list.querySelectorAll<HTMLAnchorElement>("a[data-hit]")]

/** Focuses a hit and brings it into view. */
export const focusHit = (link: HTMLElement | undefined): void => {
  link?.focus({ preventScroll: true })
  link?.scrollIntoView({ block: "nearest" })
}

/** The focused hit or one beside it. */
const beside = (list: HTMLElement, step: number): HTMLAnchorElement | undefined => {
  const links = linksIn(list)
  const { activeElement } = document
  return activeElement instanceof HTMLAnchorElement ? links[links.indexOf(activeElement) + step] : undefined
}

/** Arrows walk from the field through the hits and back; Enter in the field goes to the first. */
export const searchKeys = ({ field, list, search, more }: SearchKeys): (() => void) => {
  const onField = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") focusHit(linksIn(list)[0])
    else if (event.key === "Enter") {
      void search().then(() => {
        if (document.activeElement === field) focusHit(linksIn(list)[0])
      })
    } else return
    event.preventDefault()
  }
  const onList = (event: KeyboardEvent) => {
    const isHit = event.target instanceof Element && event.target.closest("a[data-hit]") !== null
    if (!isHit || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    if (event.key === "ArrowDown") {
      const next = beside(list, 1)
      if (next === undefined) more()
      else focusHit(next)
    } else if (event.key === "ArrowUp") {
      const before = linksIn(list)[0] === document.activeElement ? field : beside(list, -1)
      if (before === field) field.focus()
      else focusHit(before)
    } else if (event.key === "Home") focusHit(linksIn(list)[0])
    else if (event.key === "End") focusHit(linksIn(list).at(-1))
    else if (event.key === "Escape") field.focus()
    else return
    event.preventDefault()
  }
  field.addEventListener("keydown", onField)
  list.addEventListener("keydown", onList)
  return () => {
    field.removeEventListener("keydown", onField)
    list.removeEventListener("keydown", onList)
  }
}
