import type { QRL } from "@builder.io/qwik"
import type { FileNode } from "../../../src/contract/schema/files.ts"
import type { Command } from "../core/commands/CommandRegistry.ts"
import { isElsewhere } from "../core/knowledge/agentConnections.ts"
import { extensionOf } from "../core/knowledge/fileKinds.ts"
import { nameOf, parentOf } from "../core/knowledge/fileNodes.ts"
import { say } from "../core/language/say.ts"
import type { MenuItem } from "../ui/Menu.tsx"
import type { FileAction } from "./fileActions.ts"
import { downloadPath, viewerPath } from "./filePath.ts"

/** Downloads a file to this device. */
export const download = (agent: string | null, path: string): void => {
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
