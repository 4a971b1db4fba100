import type { AppServices } from "../base/AppContext.ts"
import { nameOf } from "../core/knowledge/fileNodes.ts"
import type { Knowledge } from "../core/knowledge/knowledgeOf.ts"
import { say } from "../core/language/say.ts"
import { filePath, placePath } from "./filePath.ts"

/** Deletes a file or folder and offers an undo if it went to the trash. */
export const deleteFile = async (app: AppServices, knowledge: Knowledge, path: string): Promise<void> => {
  const { tree, files, agent } = knowledge
  const isShown = files.state.get().active === path
  const isClean = files.find(path)?.document.state.get().dirty === false
  const result = await tree.remove(path)
  if (!result.ok) {
    app.notices.show("error", result.error.message)
    return
  }
  // A tab with unsaved text stays and says that its file is gone.
  if (isClean) {
    const next = files.close(path)
    if (isShown)
      app.router.navigate(next === null ? placePath(agent, "files") : filePath(agent, next), { replace: true })
  }
  const { undo } = result.value
  if (undo === null) return
  app.notices.offerUndo(say("{name} was moved to the trash.", { name: nameOf(path) }), async () => {
    const restored = await tree.restore(undo)
    if (!restored.ok) app.notices.show("error", restored.error.message)
    else if (isShown) app.router.navigate(filePath(agent, restored.value))
  })
}
