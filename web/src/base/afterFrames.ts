/** Runs something after some animation frames: one draws what just changed, the next sees it drawn. */
export const afterFrames = (frames: number, run: () => void): void => {
  requestAnimationFrame(() => (frames > 1 ? afterFrames(frames - 1, run) : run()))
}
