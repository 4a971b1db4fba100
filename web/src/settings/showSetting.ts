import { retryAfterFrames } from "../base/afterFrames.ts"

/** What a setting is named by on its page. */
const NAMES = ".settings-page :is(legend, label, h2, h3, dt, summary, button, a)"
const CONTROLS = "input:not(:disabled), select, textarea, button, summary, a[href]"
/** A page may load its code and ask the server before it's drawn. */
const TRIES = 120

/** Brings the setting of this name into view once its page is drawn, and focuses its control. */
export const showSetting = (name: string): void =>
  retryAfterFrames(2, TRIES, () => {
    const label = [...document.querySelectorAll<HTMLElement>(NAMES)].find(
      ({ textContent }) => textContent?.trim() === name
    )
    if (label === undefined) return false
    const block = label.closest<HTMLElement>("fieldset, .field-row, .switch-row, .choice, section") ?? label
    const control = label.matches(CONTROLS) ? label : block.querySelector<HTMLElement>(CONTROLS)
    label.closest("details")?.setAttribute("open", "")
    block.scrollIntoView({ block: "center" })
    control?.focus({ preventScroll: true })
    return true
  })
