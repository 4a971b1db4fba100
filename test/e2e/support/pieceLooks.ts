import type { Page } from "playwright-core"

export const THEMES = ["light", "dark", "sepia", "midnight", "contrast"]
export const DENSITIES = ["comfortable", "compact"]

/** Waits until all transitions have ended; endless animations don't count. */
const settled = (page: Page) =>
  page.waitForFunction(() => document.getAnimations().every((one) => !(one instanceof CSSTransition)))

/** Changes the page's looks, and waits until they're applied. */
export const wear = async (page: Page, looks: Readonly<Record<string, string>>): Promise<void> => {
  await page.evaluate((chosen) => {
    Object.assign(document.documentElement.dataset, { ...chosen, motion: "reduced" })
  }, looks)
  await settled(page)
}

/** Elements of a piece that have looks of their own. */
const SUBJECTS = "[class], button, input, select, textarea"
/** Elements of text only, whose size depends on the machine's fonts. */
const TEXTS = ".visually-hidden, .diff *, svg *"
/** Overlays have their own looks. */
const ABOVE = ".menu, .menu *, .dialog, .dialog *"
/** By name, what opens them and where they are drawn then. */
const OPENED = [
  { name: "Menu", opener: '[data-piece="Interactive"] [aria-haspopup="menu"]', root: ".menu:popover-open" },
  { name: "Dialog", opener: "#open-dialog", root: "dialog[open]" },
  { name: "Question", opener: "#open-question", root: "dialog[open]" }
]

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
const MEASURED = "button, input, select, .tab, .icon, .spinner"

type Looks = Readonly<Record<string, ReadonlyArray<string>>>

/**
 * The looks of each element below the roots, one per line. They include the height of elements without text, and no
 * widths, because the width of a text depends on the machine's fonts.
 */
const looksIn = (page: Page, which: "sizes" | "colours", roots: string, apart: string): Promise<Looks> =>
  page.evaluate(
    ({ roots, subjects, apart, names, measured, usual }) => {
      const pieces: Record<string, ReadonlyArray<string>> = {}
      for (const piece of document.querySelectorAll<HTMLElement>(roots)) {
        const lines = [...(piece.matches("[data-piece]") ? [] : [piece]), ...piece.querySelectorAll(subjects)]
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
      roots,
      subjects: SUBJECTS,
      apart,
      names: which === "sizes" ? SIZES : COLOURS,
      usual: ["0px", "normal", "none", "1", "rgba(0, 0, 0, 0)"],
      measured: which === "sizes" ? MEASURED : "nothing"
    }
  )

/** How each piece looks, and what opens above the page, opened one after the other. */
export const looksOf = async (page: Page, which: "sizes" | "colours"): Promise<Looks> => {
  const looks: Record<string, ReadonlyArray<string>> = {
    ...(await looksIn(page, which, "[data-piece]", `${TEXTS}, ${ABOVE}`))
  }
  for (const { name, opener, root } of OPENED) {
    await page.locator(opener).click()
    await page.locator(root).waitFor()
    await page.waitForFunction((at) => document.activeElement?.closest(at) != null, root)
    await page.mouse.move(0, 0)
    await settled(page)
    looks[name] = Object.values(await looksIn(page, which, root, TEXTS)).flat()
    await page.keyboard.press("Escape")
    await page.locator(root).waitFor({ state: "detached" })
  }
  return looks
}
