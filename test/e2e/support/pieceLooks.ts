import type { Page } from "playwright-core"

export const THEMES = ["light", "dark", "sepia", "midnight", "contrast"]
export const DENSITIES = ["comfortable", "compact"]

/** Gives the page other looks, and waits until they are there. */
export const wear = async (page: Page, looks: Readonly<Record<string, string>>): Promise<void> => {
  await page.evaluate((chosen) => {
    Object.assign(document.documentElement.dataset, { ...chosen, motion: "reduced" })
  }, looks)
  await page.waitForFunction(() => document.getAnimations().every((one) => !(one instanceof CSSTransition)))
}

/** Elements of a piece that have looks of their own. */
const SUBJECTS = "[class], button, input, select, textarea"
/** Drawn elsewhere, or made of text alone: fonts differ from machine to machine. */
const APART = ".visually-hidden, .diff *, .menu, .menu *, .dialog *, svg *"

const SIZES = [
  "padding",
  "gap",
  "border-block-start-width",
  "border-block-end-width",
  "border-start-start-radius",
  "font-size",
  "font-weight",
  "line-height"
]
const COLOURS = [
  "color",
  "background-color",
  "border-block-start-color",
  "border-block-end-color",
  "box-shadow",
  "opacity"
]
/** Whose height isn't that of their text. */
const MEASURED = "button, input, select, .tab, .icon, .spinner, .connection-dot"

/**
 * How each element of each piece looks, one line each. The height of what isn't made of text is there, and nobody's
 * width: a text is as wide as the machine's fonts make it.
 */
export const looksOf = (page: Page, which: "sizes" | "colours"): Promise<Readonly<Record<string, unknown>>> =>
  page.evaluate(
    ({ subjects, apart, names, measured, usual }) => {
      const pieces: Record<string, ReadonlyArray<string>> = {}
      for (const piece of document.querySelectorAll<HTMLElement>("[data-piece]")) {
        const lines = [...piece.querySelectorAll(subjects)]
          .filter((element) => !element.matches(apart))
          .map((element) => {
            const style = getComputedStyle(element)
            const { height } = element.getBoundingClientRect()
            const box = element.matches(measured) ? [`${Math.round(height)} high`] : []
            const name = `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""}`
            const looks = names
              .map((key) => ({ key, value: style.getPropertyValue(key) }))
              .filter(({ value }) => !usual.includes(value))
            return [name, ...box, ...looks.map(({ key, value }) => `${key} ${value}`)].join("; ")
          })
        pieces[piece.dataset.piece ?? ""] = [...new Set(lines)]
      }
      return pieces
    },
    {
      subjects: SUBJECTS,
      apart: APART,
      names: which === "sizes" ? SIZES : COLOURS,
      usual: ["0px", "normal", "none", "1", "rgba(0, 0, 0, 0)"],
      measured: which === "sizes" ? MEASURED : "nothing"
    }
  )
