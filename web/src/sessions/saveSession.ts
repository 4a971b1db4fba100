import type { AppServices } from "../base/AppContext.ts"
import type { ChatStore } from "../core/conversation/chatTypes.ts"
import { exportMarkdown, fileNameOf } from "../core/conversation/exportMarkdown.ts"
import { say } from "../core/language/say.ts"
import { titleOfKey } from "../core/sessions/sessionRows.ts"
import { saveFile } from "../ui/saveFile.ts"

/** Reads a whole conversation and saves it as markdown; false if not all of it could be read. */
const exportChat = async (chat: ChatStore, title: string): Promise<boolean> => {
  while (chat.state.get().hasOlder) {
    const before = chat.state.get().items.length
    await chat.loadOlder()
    if (chat.state.get().items.length === before) break
  }
  const { items, hasOlder } = chat.state.get()
  saveFile(fileNameOf(title), exportMarkdown(title, items), "text/markdown")
  return !hasOlder
}

/** Saves a session's conversation as markdown, and says what it lacks. */
export const saveSession = async (app: AppServices, key: string): Promise<void> => {
  const chat = app.client.chat(key)
  if (chat.state.get().status !== "ready") await chat.resync()
  if (chat.state.get().status !== "ready") {
    app.notices.show("error", say("Couldn't read the conversation. Check the connection and try again."))
    return
  }
  const whole = await exportChat(chat, app.client.sessions.find(key)?.title ?? titleOfKey(key))
  if (!whole) app.notices.show("error", say("Saved, but without the oldest messages: they couldn't be loaded."))
}
