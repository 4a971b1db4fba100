import { posix } from "node:path"
import type { Workspace } from "../agents/Workspace.ts"
import { EXCLUDED_FOLDERS } from "../files/fileTree.ts"

/** The absolute paths to watch. */
export interface WatchPlan {
  readonly roots: ReadonlyArray<string>
  /** Whether a file or folder is outside what's watched. */
  readonly ignored: (path: string) => boolean
}

const isInside = (root: string, path: string) => path === root || path.startsWith(`${root}/`)

/** The console's incomplete files, as named by `writeFileAtomic`. */
const TEMPORARY = /^\..+\.[0-9a-f]{12}\.tmp$/

/** An agent's memory files, daily folder and workspace: its top level, or all of it if `recursive`. */
export const watchPlan = ({ root, memoryPath, memoryDir }: Workspace, recursive: boolean): WatchPlan => {
  const ignored = (path: string): boolean => {
    if (TEMPORARY.test(posix.basename(path))) return true
    if (path === memoryPath || path === memoryDir || posix.dirname(path) === memoryDir) return false
    if (isInside(path, memoryPath) || isInside(path, memoryDir)) return false
    if (path === root || posix.dirname(path) === root) return false
    if (!recursive || !isInside(root, path)) return true
    return posix
      .relative(root, path)
      .split("/")
      .some((name) => EXCLUDED_FOLDERS.has(name))
  }
  const inWorkspace = [memoryPath, memoryDir].filter((path) => !isInside(root, path))
  return { roots: [root, ...inWorkspace], ignored }
}

/** The kind of a changed path; `undefined` if it isn't relevant. */
export const changeOf = (
  { root, memoryPath, memoryDir }: Workspace,
  path: string
): { readonly isMemory: boolean; readonly relative: string | undefined } => ({
  isMemory: path === memoryPath || (posix.dirname(path) === memoryDir && path.endsWith(".md")),
  relative: isInside(root, path) ? posix.relative(root, path) : undefined
})
