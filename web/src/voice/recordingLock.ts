const PREFIX = "agent-console-recording "

/** Tells the browser's other pages that this one records, until the returned function is called or the page ends. */
export const holdRecording = (id: string): (() => void) => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  // Browsers without locks have no word for it, and then each page only knows its own.
  navigator.locks?.request(`${PREFIX}${id}`, () => held).catch(() => {})
  return release
}

/** Whether a page is recording it now. */
export const isRecorded = async (id: string): Promise<boolean> => {
  const state = await navigator.locks?.query().catch(() => undefined)
  return state?.held?.some(({ name }) => name === `${PREFIX}${id}`) === true
}
