/** Runs something after some animation frames: one draws what just changed, the next sees it drawn. */
export const afterFrames = (frames: number, run: () => void): void => {
  requestAnimationFrame(() => (frames > 1 ? afterFrames(frames - 1, run) : run()))
}

/** Runs something after every few frames until it's done or was tried often enough, such as to focus what is being drawn. */
export const retryAfterFrames = (frames: number, tries: number, isDone: () => boolean): void =>
  afterFrames(frames, () => {
    if (!isDone() && tries > 1) retryAfterFrames(frames, tries - 1, isDone)
  })
