import type { Page } from "playwright-core"

/** Notes what moves by itself within an element; to be called in `prepare` of `withPage`. */
export const watchShiftsIn = async (page: Page, within: string): Promise<void> => {
  await page.addInitScript((selector) => {
    const shifts: Array<string> = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (!("value" in entry) || !("sources" in entry) || !Array.isArray(entry.sources)) continue
        if ("hadRecentInput" in entry && entry.hadRecentInput === true) continue
        const moved = entry.sources.flatMap(({ node }) => {
          const element = node instanceof Element ? node : node instanceof Node ? node.parentElement : null
          return element?.closest(selector) == null ? [] : [element.outerHTML.slice(0, 80)]
        })
        if (moved.length > 0) shifts.push(`${Number(entry.value).toFixed(4)} ${moved.join(" | ")}`)
      }
    }).observe({ type: "layout-shift", buffered: true })
  }, within)
}

/** Notes what moves by itself in the conversation; to be given as `prepare` of `withPage`. */
export const watchShifts = (page: Page): Promise<void> => watchShiftsIn(page, "#log")

/** Returns the shifts so far and clears the list. */
export const shiftsOf = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => {
    const shifts: unknown = Reflect.get(window, "shifts")
    return Array.isArray(shifts) ? shifts.splice(0).map(String) : ["not watched"]
  })
