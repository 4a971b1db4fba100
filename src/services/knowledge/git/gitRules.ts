import { posix } from "node:path"
import { isWithin } from "../files/relativePath.ts"

/** A working tree's branch (`null` outside a repository) and whether it has uncommitted changes. */
export interface GitState {
  readonly branch: string | null
  readonly dirty: boolean
}

export const NO_REPOSITORY: GitState = { branch: null, dirty: false }

/** How many digits name a detached head. */
export const SHORT_HASH = 7

/**
 * Where working directories may be registered: WORKSPACE_ROOT if it's set; otherwise the folder that contains the main
 * working tree, and every linked tree; outside a repository, the parent of the working directory. The disk's root is
 * never a base; in that case it's the directory itself.
 */
export const allowedBases = (
  workspaceRoot: string | undefined,
  worktrees: ReadonlyArray<string>,
  workingDirectory: string
): ReadonlyArray<string> => {
  if (workspaceRoot !== undefined) return [workspaceRoot]
  const main = worktrees[0] ?? workingDirectory
  const parent = posix.dirname(main)
  return [parent === "/" ? main : parent, ...worktrees]
}

/** Whether a path is in one of the bases, comparing whole names. */
export const isAllowed = (bases: ReadonlyArray<string>, path: string): boolean =>
  bases.some((base) => isWithin(base, path))
