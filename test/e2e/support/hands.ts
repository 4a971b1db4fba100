import { vi } from "@effect/vitest"
import type { Page } from "playwright-core"

/** The functions for pressing keys and checking their effect, for any browser. */
export interface Hands {
  readonly goto: (url: string) => Promise<unknown>
  /** Runs a function in the page; its code, arguments and result are passed as text. */
  readonly evaluate: <A, R>(run: (given: A) => R, given: A) => Promise<R>
  /** Presses keys together, held in their order. */
  readonly press: (keys: ReadonlyArray<string>) => Promise<unknown>
}

/** The hands of a page that playwright drives. */
export const handsOf = (page: Page): Hands => ({
  goto: (url) => page.goto(url),
  evaluate: (run, given) => page.evaluate(`(${run.toString()})(${JSON.stringify(given)})`),
  press: (keys) => page.keyboard.press(keys.join("+"))
})

/** Waits until something holds in the page. */
export const until = <A>(hands: Hands, holds: (given: A) => boolean, given: A): Promise<void> =>
  vi.waitFor(
    async () => {
      if (!(await hands.evaluate(holds, given))) throw new Error(`Not in the page: ${JSON.stringify(given)}`)
    },
    { timeout: 30_000, interval: 50 }
  )
