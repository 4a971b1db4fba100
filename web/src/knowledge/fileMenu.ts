import type { QRL } from "@builder.io/qwik"
import { type FileNode, parentOf } from "../core/knowledge/fileNodes.ts"
import type { MenuItem } from "../ui/MenuButton.tsx"
import type { FileAction } from "./fileActions.ts"
import { downloadPath } from "./filePath.ts"

/** Saves a file on this device. */
export const download = (path: string): void => {
  const link = document.createElement("a")
  link.href = downloadPath(path)
  link.download = ""
  link.click()
}

/** What can be done with a file or folder. */
export const fileMenu = (
  { path, type }: Pick<FileNode, "path" | "type">,
  act: QRL<(action: FileAction) => void>
): ReadonlyArray<MenuItem> => {
  const folder = type === "directory" ? path : parentOf(path)
  const inside: ReadonlyArray<MenuItem> = [
    { label: "New file here", icon: "plus", run: () => act({ kind: "newFile", folder }) },
    { label: "New folder here", run: () => act({ kind: "newFolder", folder }) }
  ]
  return [
    ...(type === "directory" ? inside : [{ label: "Download", run: () => download(path) }]),
    { label: "Rename", icon: "pencil", run: () => act({ kind: "rename", path }) },
    { label: "Move to…", run: () => act({ kind: "move", path }) },
    { label: "Delete", icon: "trash", danger: true, run: () => act({ kind: "delete", path }) }
  ]
}
