/** Name of the systemd unit, both for a user and for the system. */
export const SYSTEMD_UNIT = "agent-console.service"

/** Label of the launchd agent. */
export const LAUNCHD_LABEL = "agent-console"

/** Whose systemd. */
export type SystemdScope = "user" | "system"

/** Reads `systemctl show --property=…`. */
export const parseProperties = (text: string): Readonly<Partial<Record<string, string>>> =>
  Object.fromEntries(
    text.split("\n").flatMap((line) => {
      const at = line.indexOf("=")
      return at === -1 ? [] : [[line.slice(0, at), line.slice(at + 1)]]
    })
  )
