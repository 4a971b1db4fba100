import { exportMarkdown, fileNameOf } from "../core/chat/exportMarkdown.ts"
import type { ChatStore } from "../core/chatTypes.ts"
import { saveFile } from "../ui/saveFile.ts"

/** Reads a conversation back to its first message and saves it as markdown; false when not all of it could be read. */
export const exportChat = async (chat: ChatStore, title: string): Promise<boolean> => {
  while (chat.state.get().hasOlder) {
    const before = chat.state.get().items.length
    await chat.loadOlder()
    if (chat.state.get().items.length === before) break
  }
  const { items, hasOlder } = chat.state.get()
  saveFile(fileNameOf(title), exportMarkdown(title, items), "text/markdown")
  return !hasOlder
}
