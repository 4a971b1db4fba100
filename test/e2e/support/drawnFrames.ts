import type { Page } from "playwright-core"

/** Waits for some frames of the page, for effects that appear a few frames later or never. */
export const drawnFrames = (page: Page, frames: number): Promise<void> =>
  page.evaluate(
    (count) =>
      new Promise<void>((done) => {
        const wait = (left: number) => (left === 0 ? done() : requestAnimationFrame(() => wait(left - 1)))
        wait(count)
      }),
    frames
  )
