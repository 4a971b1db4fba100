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
  { name: "chat", prefix: "/chat", label: say("Chat"), jump: "c" },
  { name: "inbox", prefix: "/inbox", label: say("Inbox"), jump: "i" },
  { name: "board", prefix: "/board", label: say("Board"), jump: "b" },
  { name: "knowledge", prefix: "/knowledge", label: say("Knowledge"), jump: "k" },
  { name: "operations", prefix: "/operations", label: say("Operations"), jump: "o" },
  { name: "search", prefix: "/search", label: say("Search"), jump: "/" },
  { name: "settings", prefix: "/settings", label: say("Settings"), jump: "s" }
]

/** Where the navigation links to for a screen. */
export const screenPath = (screen: Screen): string => (screen.name === SCREENS[0]?.name ? "/" : screen.prefix)
