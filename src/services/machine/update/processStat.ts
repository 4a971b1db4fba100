/** The parts of `/proc/<pid>/stat` that matter here. */
export interface ProcessStat {
  /** Exited but not reaped yet (a zombie). */
  readonly isZombie: boolean
  /** Start time in clock ticks since boot. */
  readonly started: string
}

const STARTED = 19

/** Reads `/proc/<pid>/stat`; the name in parentheses may itself contain spaces and parentheses. */
export const parseProcessStat = (text: string): ProcessStat | undefined => {
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .trim()
    .split(" ")
  const [state, started] = [fields[0], fields[STARTED]]
  return state === undefined || started === undefined
    ? undefined
    : { isZombie: state === "Z" || state === "X", started }
}
