import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** What axe finds, one line each. The script is evaluated, not inserted: the page's policy holds for tests too. */
export const accessProblems = async (page: Page): Promise<ReadonlyArray<string>> => {
  // A colour halfway between two looks is nobody's choice.
  await page.waitForFunction(() => document.getAnimations().every((running) => !(running instanceof CSSTransition)))
  await page.evaluate(AXE)
  const found: unknown = await page.evaluate(
    `axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      // The levels of headings inside an answer are the agent's.
      rules: { "heading-order": { enabled: false } } })
      .then((result) => result.violations.map((v) => v.impact + " " + v.id + ": " + v.nodes.map((n) => n.target.join(" ")).join(", ")))`
  )
  return Array.isArray(found) ? found.map(String) : ["axe gave no list"]
}
