import type { Page } from "playwright-core"

/** Waits until the page has drawn some frames more, for what comes a few frames later or never. */
export const drawnFrames = (page: Page, frames: number): Promise<void> =>
  page.evaluate(
    (count) =>
      new Promise<void>((done) => {
        const wait = (left: number) => (left === 0 ? done() : requestAnimationFrame(() => wait(left - 1)))
        wait(count)
      }),
    frames
  )
