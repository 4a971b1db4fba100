import { below } from "../core/common/basePath.ts"
import { say } from "../core/language/say.ts"

/** The name of a screen. */
export type ScreenName = "chat" | "inbox" | "board" | "knowledge" | "operations" | "search" | "settings"

/** A screen: its address and how the navigation shows it. `shell/loadScreen.ts` loads it. */
export interface Screen {
  readonly name: ScreenName
  /** The first segments of its addresses, such as `/board`; the rest belongs to the screen. */
  readonly prefix: string
  readonly label: string
  /** The key after `g` that goes there. */
  readonly jump: string
}

/** All screens in navigation order; the first one is also at `/`. */
export const SCREENS: ReadonlyArray<Screen> = [
  { name: "chat", prefix: below("/chat"), label: say("Chat"), jump: "c" },
  { name: "inbox", prefix: below("/inbox"), label: say("Inbox"), jump: "i" },
  { name: "board", prefix: below("/board"), label: say("Board"), jump: "b" },
  { name: "knowledge", prefix: below("/knowledge"), label: say("Knowledge"), jump: "k" },
  { name: "operations", prefix: below("/operations"), label: say("Operations"), jump: "o" },
  { name: "search", prefix: below("/search"), label: say("Search"), jump: "/" },
  { name: "settings", prefix: below("/settings"), label: say("Settings"), jump: "s" }
]

/** Where the navigation links to for a screen. */
export const screenPath = (screen: Screen): string => (screen.name === SCREENS[0]?.name ? below("/") : screen.prefix)

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
  if (address.pathname === below("/") && first !== undefined) return { screen: first, segments: [], query }
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
export const chatPath = (sessionKey: string): string => below(`/chat/${pathSegment(sessionKey)}`)

/** The address of a card on the board. */
export const taskPath = (id: string): string => below(`/board/${pathSegment(id)}`)

/** Where the knowledge of a session's agent is; one of an added gateway is named after it. */
export const knowledgeOfSession = (key: string): string =>
  below(`/knowledge?agent=${key.replace(/agent:([^:]+).*/s, "$1")}`)

/** The session a chat address names: null if it names none, `undefined` on other screens. */
export const addressedSession = (address: Address): string | null | undefined => {
  const route = matchRoute(address)
  return route.screen?.name === "chat" ? (route.segments[0] ?? null) : undefined
}
