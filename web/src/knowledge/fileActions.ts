import type { QRL } from "@builder.io/qwik"
import type { FileNode } from "../../../src/contract/schema/files.ts"
import type { AppServices } from "../base/AppContext.ts"
import { pathSegment } from "../base/routes.ts"
import type { Command } from "../core/commands/CommandRegistry.ts"
import { below } from "../core/common/basePath.ts"
import { askedOf, isElsewhere, withAgent } from "../core/knowledge/agentConnections.ts"
import { extensionOf } from "../core/knowledge/fileKinds.ts"
import { nameOf, parentOf } from "../core/knowledge/fileNodes.ts"
import type { Knowledge } from "../core/knowledge/knowledgeOf.ts"
import { say } from "../core/language/say.ts"
import type { MenuItem } from "../ui/Menu.tsx"

/** Address of a page of the knowledge screen, such as `memory`, for an agent; null for the default one. */
export const placePath = (agent: string | null, place: string): string => withAgent(below(`/knowledge/${place}`), agent)

/** Address of an agent's file on the files screen. */
export const filePath = (agent: string | null, path: string): string =>
  placePath(agent, `files/${path.split("/").map(pathSegment).join("/")}`)

/** Address for downloading a file under its own name. */
export const downloadPath = (agent: string | null, path: string): string =>
  below(askedOf(`/api/files/download?path=${encodeURIComponent(path)}`, agent))

/** Address of a PDF for the browser's own viewer, which needs its own tab: the page's policy allows no frames. */
export const viewerPath = (agent: string | null, path: string): string => `${downloadPath(agent, path)}&view=pdf`

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

/** An action on a file or folder that needs a dialog first. */
export type FileAction =
  | { readonly kind: "newFile" | "newFolder"; readonly folder: string }
  | { readonly kind: "rename" | "move" | "delete" | "close"; readonly path: string }
  | { readonly kind: "trash" }

/** Downloads a file to this device. */
const download = (agent: string | null, path: string): void => {
  const link = document.createElement("a")
  link.href = downloadPath(agent, path)
  link.download = ""
  link.click()
}

/** What can be done with an agent's file or folder. */
export const fileMenu = (
  agent: string | null,
  { path, type }: Pick<FileNode, "path" | "type">,
  act: QRL<(action: FileAction) => void>
): ReadonlyArray<MenuItem> => {
  if (isElsewhere(agent)) return []
  const folder = type === "directory" ? path : parentOf(path)
  const inside: ReadonlyArray<MenuItem> = [
    { label: say("New file here"), icon: "plus", run: () => act({ kind: "newFile", folder }) },
    { label: say("New folder here"), run: () => act({ kind: "newFolder", folder }) }
  ]
  const elsewhere: ReadonlyArray<MenuItem> =
    extensionOf(nameOf(path)) === "pdf"
      ? [{ label: say("Open in a new tab"), run: () => window.open(viewerPath(agent, path), "_blank", "noopener") }]
      : []
  return [
    ...(type === "directory" ? inside : [...elsewhere, { label: say("Download"), run: () => download(agent, path) }]),
    { label: say("Rename"), icon: "pencil", run: () => act({ kind: "rename", path }) },
    { label: say("Move to…"), run: () => act({ kind: "move", path }) },
    { label: say("Delete"), icon: "trash", danger: true, run: () => act({ kind: "delete", path }) }
  ]
}

/** What can be done with the file that is open, from the palette. */
export const openFileCommands = (
  agent: string | null,
  path: string,
  act: QRL<(action: FileAction) => void>
): ReadonlyArray<Command> => {
  if (isElsewhere(agent)) return []
  const name = nameOf(path)
  const group = say("This file")
  return [
    { id: "file.download", label: say("Download {name}", { name }), group, run: () => download(agent, path) },
    { id: "file.rename", label: say("Rename {name}", { name }), group, run: () => act({ kind: "rename", path }) },
    { id: "file.move", label: say("Move {name}", { name }), group, run: () => act({ kind: "move", path }) },
    { id: "file.delete", label: say("Delete {name}", { name }), group, run: () => act({ kind: "delete", path }) }
  ]
}
