import type { Component } from "@builder.io/qwik"
import { loadMarkdown } from "../core/loadMarkdown.ts"
import type { IconName } from "../ui/Icon.tsx"

/** A screen: where it lives, how the navigation shows it, and how its chunk is loaded. */
export interface Screen {
  readonly name: string
  /** The first segments of its addresses, such as `/board`; what follows them is the screen's own. */
  readonly prefix: string
  readonly label: string
  readonly icon: IconName
  /** The letter that goes there after `g`. */
  readonly jump: string
  /** Loads the chunk. Only ever an `import()`: this table is part of the first screen, the screens are not. */
  readonly load: () => Promise<Component>
}

const loadChat = async (): Promise<Component> => {
  // Fetched beside the screen, so that the first messages are not drawn twice; the screen itself reports a failure.
  const markdown = loadMarkdown().catch(() => null)
  const { ChatScreen } = await import("../chat/ChatScreen.tsx")
  await markdown
  return ChatScreen
}

/** The screens there are, in the order of the navigation; the first one is at `/` too. One line makes a screen. */
export const SCREENS: ReadonlyArray<Screen> = [
  { name: "chat", prefix: "/chat", label: "Chat", icon: "message-square", jump: "c", load: loadChat },
  {
    name: "board",
    prefix: "/board",
    label: "Board",
    icon: "kanban",
    jump: "b",
    load: async () => (await import("../board/BoardScreen.tsx")).BoardScreen
  },
  {
    name: "knowledge",
    prefix: "/knowledge",
    label: "Knowledge",
    icon: "brain",
    jump: "k",
    load: async () => (await import("../knowledge/KnowledgeScreen.tsx")).KnowledgeScreen
  },
  {
    name: "operations",
    prefix: "/operations",
    label: "Operations",
    icon: "activity",
    jump: "o",
    load: async () => (await import("../operations/OperationsScreen.tsx")).OperationsScreen
  },
  {
    name: "settings",
    prefix: "/settings",
    label: "Settings",
    icon: "settings",
    jump: "s",
    load: async () => (await import("../settings/SettingsScreen.tsx")).SettingsScreen
  }
]

/** Where the navigation leads for a screen. */
export const screenPath = (screen: Screen): string => (screen === SCREENS[0] ? "/" : screen.prefix)

const loaded = new Map<string, Component>()

/** A screen whose chunk is here already. */
export const loadedScreen = (name: string): Component | undefined => loaded.get(name)

/** Loads a screen's chunk once; later calls answer from memory. Rejects when the chunk cannot be had. */
export const loadScreen = async (screen: Screen): Promise<Component> => {
  const known = loaded.get(screen.name)
  if (known !== undefined) return known
  const component = await screen.load()
  loaded.set(screen.name, component)
  return component
}
