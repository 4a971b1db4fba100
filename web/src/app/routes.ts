import type { IconName } from "../ui/Icon.tsx"

/** Names of the screens; each is its own chunk, loaded when first shown. */
export type ScreenName = "chat"

/** The screen an address means, with what the address carries. */
export type Route = { readonly screen: "chat"; readonly sessionKey: string | null } | { readonly screen: "unknown" }

/** An entry of the main navigation. */
export interface NavEntry {
  readonly screen: ScreenName
  readonly href: string
  readonly label: string
  readonly icon: IconName
}

/** The screens people can go to, in the order of the navigation. */
export const NAVIGATION: ReadonlyArray<NavEntry> = [
  { screen: "chat", href: "/", label: "Chat", icon: "message-square" }
]

/** What an address means; a damaged escape means no known screen. */
export const matchRoute = (pathname: string): Route => {
  if (pathname === "/") return { screen: "chat", sessionKey: null }
  const chat = /^\/chat\/([^/]+)\/?$/.exec(pathname)?.[1]
  if (chat === undefined) return { screen: "unknown" }
  const sessionKey = decoded(chat)
  return sessionKey === null ? { screen: "unknown" } : { screen: "chat", sessionKey }
}

/** The address of a session's chat. */
export const chatPath = (sessionKey: string): string => `/chat/${encodeURIComponent(sessionKey).replaceAll("%3A", ":")}`

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
