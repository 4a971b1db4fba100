/** What Linux tells about a process in `/proc/<pid>/stat`, as far as it matters here. */
export interface ProcessStat {
  /** Ended, but nobody has asked how yet. */
  readonly isZombie: boolean
  /** Clock ticks from the start of the machine to its own. */
  readonly started: string
}

const STARTED = 19

/** Reads `/proc/<pid>/stat`; the name in parentheses may itself hold spaces and parentheses. */
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
