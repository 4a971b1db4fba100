import type { AppServices } from "../base/AppContext.ts"
import { knowledgeOfSession } from "../base/routes.ts"
import { sessionRequest } from "../base/sessionRequest.ts"
import type { Command } from "../core/commands/CommandRegistry.ts"
import type { ActionResult } from "../core/common/Observable.ts"
import type { ChatStore } from "../core/conversation/chatTypes.ts"
import { say } from "../core/language/say.ts"
import { chatRequest } from "./chatRequest.ts"

/** Stops the response; a person decides first what becomes of the messages that wait for its end. */
export const stopResponse = async (chat: ChatStore): Promise<ActionResult> => {
  const { items } = chat.state.get()
  if (!items.some((item) => item.kind === "user" && item.delivery === "held")) return chat.abort()
  chatRequest.set({ kind: "stop" })
  return { ok: true, value: true }
}

/** Takes something out of the conversation; what that needs is loaded with its first use. */
const takeOut = async (app: AppServices, run: () => Promise<void>): Promise<void> => {
  try {
    await run()
  } catch {
    app.notices.show("error", say("Couldn't read the conversation. Check the connection and try again."))
  }
}

/** The words of the newest response; null while there is none. */
const lastAnswer = (chat: ChatStore): string | null => {
  const last = chat.state.get().items.findLast((item) => item.kind === "assistant" && item.text.trim() !== "")
  return last?.kind === "assistant" ? last.text : null
}

/** What can be done with the conversation on screen, from the palette and by keys. */
export const chatCommands = (app: AppServices, chat: ChatStore, key: string): ReadonlyArray<Command> => [
  {
    id: "chat.search",
    label: say("Search this conversation"),
    group: say("Chat"),
    keys: "mod+.",
    whileTyping: true,
    run: () => chatRequest.set({ kind: "search" })
  },
  {
    id: "chat.model",
    label: say("Choose model and thinking"),
    group: say("Chat"),
    keys: "mod+;",
    whileTyping: true,
    run: () => chatRequest.set({ kind: "model" })
  },
  {
    id: "chat.stop",
    label: say("Stop response"),
    group: say("Chat"),
    when: () => chat.state.get().running,
    run: async () => {
      const done = await stopResponse(chat)
      if (!done.ok) app.notices.show("error", done.message)
    }
  },
  {
    id: "chat.again",
    label: say("Regenerate the last response"),
    group: say("Chat"),
    when: () => !chat.state.get().running,
    run: async () => {
      const done = await chat.regenerate()
      if (!done.ok) app.notices.show("info", done.message)
    }
  },
  {
    id: "chat.code",
    label: say("Copy the last code block"),
    group: say("Chat"),
    run: () => takeOut(app, async () => (await import("./exportChat.ts")).copyLastCode(app))
  },
  {
    id: "chat.copy",
    label: say("Copy the last response"),
    group: say("Chat"),
    when: () => lastAnswer(chat) !== null,
    run: () => takeOut(app, async () => (await import("./exportChat.ts")).copyAnswer(app, lastAnswer(chat) ?? ""))
  },
  {
    id: "chat.aloud",
    label: say("Read the last response aloud"),
    group: say("Chat"),
    keywords: "voice speak listen",
    when: () => lastAnswer(chat) !== null,
    run: async () => {
      const { readAloud } = await import("../voice/VoiceControl.tsx")
      readAloud(app, lastAnswer(chat) ?? "")
    }
  },
  {
    id: "chat.removed",
    label: say("Show removed messages"),
    group: say("Chat"),
    run: () => sessionRequest.set({ kind: "removed", key })
  },
  {
    id: "chat.knowledge",
    label: say("Open the agent's knowledge"),
    group: say("Chat"),
    keywords: "memory files documents",
    run: () => app.router.navigate(knowledgeOfSession(key))
  },
  {
    id: "chat.save",
    label: say("Save conversation as Markdown"),
    group: say("Chat"),
    run: () => takeOut(app, async () => (await import("../sessions/saveSession.ts")).saveSession(app, key))
  },
  {
    id: "chat.rename",
    label: say("Rename this session"),
    group: say("Chat"),
    run: () => sessionRequest.set({ kind: "rename", key })
  },
  {
    id: "chat.empty",
    label: say("Clear this session"),
    group: say("Chat"),
    run: () => sessionRequest.set({ kind: "reset", key })
  }
]
