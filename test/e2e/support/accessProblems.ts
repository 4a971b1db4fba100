import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** The findings of axe, one per line. The script is evaluated, because the page's policy forbids inserting it. */
export const accessProblems = async (page: Page): Promise<ReadonlyArray<string>> => {
  // A colour in the middle of a transition isn't part of the design.
  await page.waitForFunction(() => document.getAnimations().every((running) => !(running instanceof CSSTransition)))
  await page.evaluate(AXE)
  const found: unknown = await page.evaluate(
    `axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
      .then((result) => result.violations.map((v) => v.impact + " " + v.id + ": " + v.nodes.map((n) => n.target.join(" ")).join(", ")))`
  )
  return Array.isArray(found) ? [...found.map(String), ...(await tableProblems(page))] : ["axe gave no list"]
}

/** Tables without a name, and different tables of the same name. */
const tableProblems = async (page: Page): Promise<ReadonlyArray<string>> => {
  const tables = await page.locator("table:visible").evaluateAll((found) =>
    found.map((table) => {
      const named =
        table.querySelector("caption") ?? table.closest("[aria-label]:is(table, [role=region], [role=group])")
      return { name: (named?.getAttribute("aria-label") ?? named?.textContent ?? "").trim(), text: table.textContent }
    })
  )
  return tables.flatMap(({ name, text }, index) =>
    name === "" || /^table$/i.test(name)
      ? [`table ${index + 1} has no name`]
      : tables.slice(0, index).some((other) => other.name === name && other.text !== text)
        ? [`two tables are called "${name}"`]
        : []
  )
}
