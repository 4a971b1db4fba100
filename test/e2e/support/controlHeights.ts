import type { Page } from "playwright-core"

/** Interactive controls in a line. */
const CONTROLS = [
  "button",
  "select",
  "summary",
  "input:not([type=checkbox], [type=radio], [type=range], [type=file], [type=hidden])",
  ".button",
  ".tab",
  ".pill",
  ".segmented"
].join(", ")

/** Exceptions: parts of a measured control, and surfaces that aren't controls. */
const APART = [
  ".segmented button",
  ".field :is(input, button)",
  ".scrim",
  ".suggestion",
  ".visually-hidden",
  ".cm-editor *"
].join(", ")

/** The visible controls of a page whose height isn't the one of the scale. */
export const controlHeights = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(
    ({ controls, apart }) => {
      const scale = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--control"))
      return [...document.querySelectorAll(controls)].flatMap((element) => {
        const { height, width } = element.getBoundingClientRect()
        const isSeen = element.checkVisibility({ visibilityProperty: true, opacityProperty: false }) && width > 1
        return !isSeen || element.matches(apart) || Math.abs(height - scale) < 0.6
          ? []
          : [`${element.tagName.toLowerCase()}.${element.className}: ${height} instead of ${scale}`]
      })
    },
    { controls: CONTROLS, apart: APART }
  )
