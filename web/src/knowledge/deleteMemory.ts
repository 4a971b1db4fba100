import type { AppServices } from "../base/AppContext.ts"
import type { MemoryStore } from "../core/knowledge/MemoryStore.ts"
import { say } from "../core/language/say.ts"

/** Deletes a section's bullet and offers to bring it back; whether it worked. */
export const deleteMemory = async (
  app: AppServices,
  store: MemoryStore,
  section: string,
  text: string
): Promise<boolean> => {
  const result = await store.removeItem(section, text)
  if (!result.ok) {
    app.notices.show("error", result.message)
    return false
  }
  app.notices.offerUndo(say("Memory deleted."), async () => {
    const undone = await result.value()
    if (!undone.ok) app.notices.show("error", undone.message)
  })
  return true
}
