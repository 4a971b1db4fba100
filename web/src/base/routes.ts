import { SCREENS, type Screen } from "./screens.ts"

/** The screen an address leads to, with the data the address carries for it. */
export interface Route {
  /** Null for an address that belongs to no screen. */
  readonly screen: Screen | null
  /** The decoded parts of the path after the screen's prefix. */
  readonly segments: ReadonlyArray<string>
  readonly query: URLSearchParams
}

/** A path and a query, as the router publishes them. */
export interface Address {
  readonly pathname: string
  readonly search: string
}

const covers = (prefix: string, pathname: string) => pathname === prefix || pathname.startsWith(`${prefix}/`)

/** What an address leads to: the screen with the longest matching prefix. A malformed escape matches no screen. */
export const matchRoute = (address: Address, screens: ReadonlyArray<Screen> = SCREENS): Route => {
  const query = new URLSearchParams(address.search)
  const first = screens[0]
  if (address.pathname === "/" && first !== undefined) return { screen: first, segments: [], query }
  const screen = screens
    .filter(({ prefix }) => covers(prefix, address.pathname))
    .reduce<Screen | null>(
      (best, next) => (best === null || next.prefix.length > best.prefix.length ? next : best),
      null
    )
  const segments = screen === null ? null : segmentsOf(address.pathname.slice(screen.prefix.length))
  return segments === null ? { screen: null, segments: [], query } : { screen, segments, query }
}

/** The decoded parts of a path; null if one is malformed. */
const segmentsOf = (path: string): ReadonlyArray<string> | null => {
  try {
    return path
      .split("/")
      .filter((part) => part !== "")
      .map(decodeURIComponent)
  } catch {
    return null
  }
}

/** A text as one part of a path; session keys stay readable. */
export const pathSegment = (text: string): string => encodeURIComponent(text).replace(/%3A|%40/g, decodeURIComponent)

/** The address of a session's chat. */
export const chatPath = (sessionKey: string): string => `/chat/${pathSegment(sessionKey)}`

/** The session a chat address names: null if it names none, `undefined` on other screens. */
export const addressedSession = (address: Address): string | null | undefined => {
  const route = matchRoute(address)
  return route.screen?.name === "chat" ? (route.segments[0] ?? null) : undefined
}
