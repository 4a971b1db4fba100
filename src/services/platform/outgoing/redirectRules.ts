const REDIRECTS: ReadonlySet<number> = new Set([300, 301, 302, 303, 305, 307, 308])

/** Whether a status says that something else is to be asked; 304 answers a condition. */
export const isRedirect = (status: number): boolean => REDIRECTS.has(status)

/**
 * Where a redirect of a public download may lead: to HTTPS, or elsewhere on the server that the settings name, which
 * may be a mirror without it. `undefined` for everything else.
 */
export const redirectTarget = (asked: string, location: string | undefined): string | undefined => {
  if (location === undefined || !URL.canParse(location, asked)) return undefined
  const target = new URL(location, asked)
  const isAllowed = target.protocol === "https:" || target.origin === new URL(asked).origin
  return isAllowed && target.username === "" && target.password === "" ? target.href : undefined
}
