import type { Page } from "playwright-core"
import { accessProblems } from "./accessProblems.ts"
import { keepPicture, LOOKS, type Size } from "./browser.ts"

/** Both sizes, each in both themes. */
export const BOTH_SIZES: ReadonlyArray<Size> = ["desktop", "phone"]

/** The findings of axe on an open page in each colour scheme; saves a picture of each. */
export const problemsInBothThemes = async (page: Page, picture: string, size: Size): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (const { theme } of LOOKS.filter((look) => look.size === size)) {
    await page.emulateMedia({ colorScheme: theme })
    const problems = await accessProblems(page)
    found.push(...problems.map((problem) => `${theme}: ${problem}`))
    await keepPicture(page, `${picture}-${theme}-${size}`)
  }
  return found
}
