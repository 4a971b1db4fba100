/**
 * Marks the message that was tapped last, which shows its controls where no pointer can hover: styles look for the mark.
 * A tap elsewhere takes it away. Ends when the returned function is called.
 */
export const followTaps = (): (() => void) => {
  let tapped: HTMLElement | null = null
  const onClick = ({ target }: MouseEvent) => {
    const entry = target instanceof Element ? target.closest<HTMLElement>("#log .entry") : null
    if (entry === tapped) return
    delete tapped?.dataset.tapped
    if (entry !== null) entry.dataset.tapped = ""
    tapped = entry
  }
  document.addEventListener("click", onClick)
  return () => document.removeEventListener("click", onClick)
}
