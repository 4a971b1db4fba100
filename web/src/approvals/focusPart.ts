/** Moves the focus to a part of a question's card, or to the button that sends its answers. */
export const focusPart = (form: HTMLElement, partId: string | null): void => {
  const part = partId === null ? null : form.querySelector(`[data-part="${CSS.escape(partId)}"]`)
  const place = form.closest(".approval-place")
  // By hand: the browser would also move the page behind the card.
  if (part !== null && place !== null)
    place.scrollTop += part.getBoundingClientRect().top - place.getBoundingClientRect().top
  const control = part?.querySelector<HTMLElement>("input") ?? form.querySelector<HTMLElement>("button[type=submit]")
  control?.focus({ preventScroll: part !== null })
}
