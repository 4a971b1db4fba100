import type { Component } from "@builder.io/qwik"
import { loadMarkdown } from "../core/loadMarkdown.ts"
import type { ScreenName } from "./routes.ts"

/** How each screen's chunk is loaded. */
const LOADERS: Readonly<Record<ScreenName, () => Promise<Component>>> = {
  chat: async () => {
    // Fetched beside the screen, so that the first messages are not drawn twice; the screen itself reports a failure.
    const markdown = loadMarkdown().catch(() => null)
    const { ChatScreen } = await import("../chat/ChatScreen.tsx")
    await markdown
    return ChatScreen
  }
}

const loaded = new Map<ScreenName, Component>()

/** A screen whose chunk is here already. */
export const loadedScreen = (name: ScreenName): Component | undefined => loaded.get(name)

/** Loads a screen's chunk once; later calls answer from memory. */
export const loadScreen = async (name: ScreenName): Promise<Component> => {
  const known = loaded.get(name)
  if (known !== undefined) return known
  const screen = await LOADERS[name]()
  loaded.set(name, screen)
  return screen
}
