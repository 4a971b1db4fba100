import type { AppServices } from "../app/ConsoleContext.ts"
import type { ChatStore } from "../core/chatTypes.ts"
import type { Command } from "../core/commands/CommandRegistry.ts"
import { titleOfKey } from "../core/sessionRows.ts"
import { sessionRequest } from "../sessions/sessionRequest.ts"
import { copyText } from "../ui/copyText.ts"
import type { MenuItem } from "../ui/MenuButton.tsx"
import { chatRequest } from "./chatRequest.ts"

const save = async (app: AppServices, chat: ChatStore, key: string): Promise<void> => {
  try {
    const { exportChat } = await import("./exportChat.ts")
    const whole = await exportChat(chat, app.console.sessions.find(key)?.title ?? titleOfKey(key))
    if (!whole) app.notices.show("error", "Saved, but the oldest messages could not be read.")
  } catch {
    app.notices.show("error", "The conversation could not be saved. Reload the page and try again.")
  }
}

/** Copies the code of the newest answer that has some. */
const copyLastCode = async (app: AppServices): Promise<void> => {
  const code = [...document.querySelectorAll("#log .code-block code")].at(-1)?.textContent
  if (code == null) app.notices.show("info", "There is no code in this conversation yet.")
  else app.notices.show("info", (await copyText(code)) ? "The code was copied." : "The code could not be copied.")
}

/** What can be done with the conversation on screen, by its menu. */
export const chatActions = (app: AppServices, chat: ChatStore, key: string): ReadonlyArray<MenuItem> => [
  { label: "Save as Markdown", icon: "copy", run: () => save(app, chat, key) },
  { label: "Rename…", icon: "pencil", run: () => sessionRequest.set({ kind: "rename", key }) },
  { label: "Empty…", icon: "rotate-ccw", run: () => sessionRequest.set({ kind: "reset", key }) }
]

/** The same by the palette and by keys. */
export const chatCommands = (app: AppServices, chat: ChatStore, key: string): ReadonlyArray<Command> => [
  {
    id: "chat.search",
    label: "Search this conversation",
    group: "Chat",
    keys: "mod+shift+f",
    whileTyping: true,
    run: () => chatRequest.set({ kind: "search" })
  },
  {
    id: "chat.model",
    label: "Choose model and thinking",
    group: "Chat",
    keys: "mod+shift+m",
    whileTyping: true,
    run: () => chatRequest.set({ kind: "model" })
  },
  {
    id: "chat.stop",
    label: "Stop the answer",
    group: "Chat",
    when: () => chat.state.get().running,
    run: () => chat.abort()
  },
  {
    id: "chat.again",
    label: "Ask the last question again",
    group: "Chat",
    when: () => !chat.state.get().running,
    run: async () => {
      const done = await chat.regenerate()
      if (!done.ok) app.notices.show("info", done.message)
    }
  },
  { id: "chat.code", label: "Copy the last code", group: "Chat", run: () => copyLastCode(app) },
  { id: "chat.save", label: "Save the conversation as Markdown", group: "Chat", run: () => save(app, chat, key) },
  {
    id: "chat.rename",
    label: "Rename this session",
    group: "Chat",
    run: () => sessionRequest.set({ kind: "rename", key })
  },
  {
    id: "chat.empty",
    label: "Empty this session",
    group: "Chat",
    run: () => sessionRequest.set({ kind: "reset", key })
  }
]
