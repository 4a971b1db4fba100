import { posix } from "node:path"
import { EXCLUDED_FOLDERS } from "../files/excludedFolders.ts"
import type { SettingsShape } from "../settings/Settings.ts"

/** What there is to watch, all absolute. */
export interface WatchPlan {
  readonly roots: ReadonlyArray<string>
  readonly workspace: string
  /** Whether a path, file or folder, lies outside of what is watched. */
  readonly ignored: (path: string) => boolean
}

const isInside = (root: string, path: string) => path === root || path.startsWith(`${root}/`)

/** Our own half-written files, as `writeFileAtomic` names them. */
const TEMPORARY = /^\..+\.[0-9a-f]{12}\.tmp$/

/** The memory files, the daily folder and the workspace: its top level, or all of it by the setting (D52). */
export const watchPlan = (settings: SettingsShape): WatchPlan => {
  const workspace = posix.join(settings.gatewayHome, "workspace")
  const { memoryPath, memoryDir } = settings
  const ignored = (path: string): boolean => {
    if (TEMPORARY.test(posix.basename(path))) return true
    if (path === memoryPath || path === memoryDir || posix.dirname(path) === memoryDir) return false
    if (isInside(path, memoryPath) || isInside(path, memoryDir)) return false
    if (path === workspace || posix.dirname(path) === workspace) return false
    if (!settings.watchWorkspaceRecursive || !isInside(workspace, path)) return true
    return posix
      .relative(workspace, path)
      .split("/")
      .some((name) => EXCLUDED_FOLDERS.has(name))
  }
  const inWorkspace = [memoryPath, memoryDir].filter((path) => !isInside(workspace, path))
  return { roots: [workspace, ...inWorkspace], workspace, ignored }
}

/** What a changed path is to the console; `undefined` where nobody needs to know. */
export const changeOf = (
  settings: SettingsShape,
  plan: WatchPlan,
  path: string
): { readonly isMemory: boolean; readonly relative: string | undefined } => ({
  isMemory: path === settings.memoryPath || (posix.dirname(path) === settings.memoryDir && path.endsWith(".md")),
  relative: isInside(plan.workspace, path) ? posix.relative(plan.workspace, path) : undefined
})
