import type { AppServices } from "../base/AppContext.ts"
import type { ChatStore } from "../core/conversation/chatTypes.ts"
import { exportMarkdown, fileNameOf } from "../core/conversation/exportMarkdown.ts"
import { say } from "../core/language/say.ts"
import { titleOfKey } from "../core/sessions/sessionRows.ts"
import { copyText } from "../ui/copyText.ts"
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

/** Saves a conversation as markdown, and says what it lacks. */
export const saveChat = async (app: AppServices, chat: ChatStore, key: string): Promise<void> => {
  const whole = await exportChat(chat, app.client.sessions.find(key)?.title ?? titleOfKey(key))
  if (!whole) app.notices.show("error", say("Saved, but without the oldest messages: they couldn't be loaded."))
}

/** Copies the code of the newest response that has some. */
export const copyLastCode = async (app: AppServices): Promise<void> => {
  const code = [...document.querySelectorAll("#log .code-block code")].at(-1)?.textContent
  if (code == null) app.notices.show("info", say("There's no code in this conversation yet."))
  else app.notices.show("info", (await copyText(code)) ? say("Code copied") : say("Couldn't copy the code"))
}

/** Copies a response as it was written. */
export const copyAnswer = async (app: AppServices, text: string): Promise<void> =>
  app.notices.show("info", (await copyText(text)) ? say("Response copied") : say("Couldn't copy the response"))
