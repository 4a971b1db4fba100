/** Maximum number of registered directories, and how long they last in milliseconds. */
export const MAX_WORKDIRS = 100
export const WORKDIR_LIFETIME_MS = 60 * 60 * 1000

interface Entry {
  readonly workdir: string
  readonly at: number
}

/** Working directories by session key, the oldest registration first. */
export type Workdirs = ReadonlyMap<string, Entry>

const alive = (workdirs: Workdirs, now: number) => [...workdirs].filter(([, { at }]) => now - at < WORKDIR_LIFETIME_MS)

/** Registers a session's directory, replacing an earlier one; beyond 100, the oldest is dropped. */
export const register = (workdirs: Workdirs, sessionKey: string, workdir: string, now: number): Workdirs => {
  const others = alive(workdirs, now).filter(([key]) => key !== sessionKey)
  return new Map([...others.slice(-(MAX_WORKDIRS - 1)), [sessionKey, { workdir, at: now }]])
}

/** Removes a session's directory. */
export const unregister = (workdirs: Workdirs, sessionKey: string): Workdirs =>
  new Map([...workdirs].filter(([key]) => key !== sessionKey))

/** The directory of a session; `undefined` an hour after it was registered. */
export const lookUp = (workdirs: Workdirs, sessionKey: string, now: number): string | undefined => {
  const entry = workdirs.get(sessionKey)
  return entry !== undefined && now - entry.at < WORKDIR_LIFETIME_MS ? entry.workdir : undefined
}
