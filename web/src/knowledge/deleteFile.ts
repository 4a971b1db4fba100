import type { AppServices } from "../app/ConsoleContext.ts"
import { nameOf } from "../core/knowledge/fileNodes.ts"
import { knowledgeOf } from "../core/knowledge/knowledgeOf.ts"
import { filePath } from "./filePath.ts"

/** Deletes a file or folder and offers to undo it where it went into the trash. */
export const deleteFile = async (app: AppServices, path: string): Promise<void> => {
  const { tree, files } = knowledgeOf(app.console)
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
    if (isShown) app.router.navigate(next === null ? "/knowledge/files" : filePath(next), { replace: true })
  }
  const { undo } = result.value
  if (undo === null) return
  app.notices.offerUndo(`${nameOf(path)} is in the trash.`, async () => {
    const restored = await tree.restore(undo)
    if (!restored.ok) app.notices.show("error", restored.error.message)
    else if (isShown) app.router.navigate(filePath(restored.value))
  })
}
