import { readlinkSync } from "node:fs"

const LINK = "/etc/localtime"

/** The names under which systems keep UTC. */
const UTC = /^(?:Etc\/)?(?:UTC|UCT|Zulu|Universal)$/

/** The IANA name in the target of a system's time zone link, or nothing when it names none. */
export const zoneOfLink = (target: string): string | undefined => {
  const name = /\/zoneinfo\/(?:posix\/|right\/)?([A-Za-z][\w+-]*(?:\/[\w+-]+)*)$/.exec(target)?.[1]
  return name !== undefined && UTC.test(name) ? "UTC" : name
}

const linked = (): string | undefined => {
  try {
    return zoneOfLink(readlinkSync(LINK))
  } catch {
    return undefined
  }
}

/**
 * IANA name of this process's time zone. Read from the system's link where nothing says otherwise (`TZ`), because the
 * first use of `Intl` keeps 5 MB of its tables in memory.
 */
export const systemTimeZone = (): string =>
  (process.env.TZ === undefined ? linked() : undefined) ?? Intl.DateTimeFormat().resolvedOptions().timeZone
