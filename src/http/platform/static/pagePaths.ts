/** Places where programs look for documents, and people never: nothing there but what exists. */
export const MACHINE_PLACES = ["/.well-known", "/languages"] as const
/** The agents' endpoint is beside its path only. */
const MACHINES = [...MACHINE_PLACES, "/mcp"]

/** Where programs look for a sign-in or a stream of another kind of server, if they're told of none. */
const OTHER_SERVERS = /^\/(?:authorize|token|register|revoke|introspect|oauth2?|sse|messages?)(?:\/|$)/

/** The page's screens, which have their addresses in `web/src/base/screens.ts`. */
const SCREEN = /^\/(?:(?:chat|inbox|board|knowledge|operations|search|settings)(?:\/.*)?)?$/

const FILE = /[^/]\.[a-z\d]{1,12}$/i

const isBelow = (place: string, path: string) => path === place || path.startsWith(`${place}/`)

/**
 * Whether the page's index may answer for a path that names no file. It's for people: their browsers say that they take
 * HTML, and a program that doesn't would take the page for the answer it asked for. `accept` is the request's header.
 */
export const mayBePage = (path: string, accept: string | undefined): boolean => {
  if (MACHINES.some((place) => isBelow(place, path)) || path.includes("/.well-known/")) return false
  if (SCREEN.test(path) || accept === undefined || /\btext\/html\b|\bapplication\/xhtml\+xml\b/i.test(accept))
    return true
  return /\*\/\*/.test(accept) && !OTHER_SERVERS.test(path) && !FILE.test(path)
}
