import type { Component } from "@builder.io/qwik"
import type { ScreenName } from "../base/routes.ts"
import { loadMarkdown } from "../core/text/loadMarkdown.ts"
import type { IconName } from "../ui/Icon.tsx"

const loadChat = async (): Promise<Component> => {
  // Fetched along with the screen, so that the first messages aren't drawn twice; the screen itself reports a failure.
  const markdown = loadMarkdown().catch(() => null)
  const { ChatScreen } = await import("../chat/ChatScreen.tsx")
  await markdown
  return ChatScreen
}

/**
 * How each screen's chunk is loaded. Always by `import()`: this table is part of the first screen, the screens
 * aren't.
 */
const LOADERS: Readonly<Record<ScreenName, () => Promise<Component>>> = {
  chat: loadChat,
  inbox: async () => (await import("../inbox/InboxScreen.tsx")).InboxScreen,
  board: async () => (await import("../board/BoardScreen.tsx")).BoardScreen,
  knowledge: async () => (await import("../knowledge/KnowledgeScreen.tsx")).KnowledgeScreen,
  operations: async () => (await import("../operations/OperationsScreen.tsx")).OperationsScreen,
  search: async () => (await import("../search/SearchScreen.tsx")).SearchScreen,
  settings: async () => (await import("../settings/SettingsScreen.tsx")).SettingsScreen
}

const loaded = new Map<string, Component>()

/** A screen whose chunk is already loaded. */
export const loadedScreen = (name: string): Component | undefined => loaded.get(name)

/** Loads a screen's chunk once and remembers it. Rejects if the chunk can't be loaded. */
export const loadScreen = async (name: ScreenName): Promise<Component> => {
  const known = loaded.get(name)
  if (known !== undefined) return known
  const component = await LOADERS[name]()
  loaded.set(name, component)
  return component
}

/** How the screens are drawn where they are chosen from. */
export const SCREEN_ICONS: Readonly<Record<ScreenName, IconName>> = {
  chat: "message-square",
  inbox: "inbox",
  board: "kanban",
  knowledge: "brain",
  operations: "activity",
  search: "search",
  settings: "settings"
}
