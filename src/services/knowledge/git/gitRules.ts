import { posix } from "node:path"
import { isWithin } from "../files/relativePath.ts"

/** A working tree's branch (`null` outside a repository) and whether it has uncommitted changes. */
export interface GitState {
  readonly branch: string | null
  readonly dirty: boolean
}

export const NO_REPOSITORY: GitState = { branch: null, dirty: false }

const SHORT_HASH = 7

/** Whether a line of `git status --porcelain=v2 --branch` is a header; every other one is a change. */
export const isHeaderLine = (line: string): boolean => line.startsWith("# ")

/**
 * Reads `git status --porcelain=v2 --branch`, possibly truncated after the first change. A detached head is named by
 * its short hash.
 */
export const parseStatus = (lines: ReadonlyArray<string>): GitState => {
  const header = (name: string) =>
    lines.find((line) => line.startsWith(`# branch.${name} `))?.slice(`# branch.${name} `.length)
  const head = header("head")
  const branch = head === "(detached)" ? header("oid")?.slice(0, SHORT_HASH) : head
  return { branch: branch ?? null, dirty: lines.some((line) => line !== "" && !isHeaderLine(line)) }
}

/** The folders of `git worktree list --porcelain -z`, the main one first; without bare repositories. */
export const parseWorktrees = (output: string): ReadonlyArray<string> =>
  output.split("\0\0").flatMap((record) => {
    const fields = record.split("\0")
    const path = fields.find((field) => field.startsWith("worktree "))?.slice("worktree ".length)
    return path === undefined || fields.includes("bare") ? [] : [path]
  })

/**
 * Settings that keep a repository's own filters from running, from `git config --show-scope --name-only -z`. They're
 * passed as variables, because on the command line a name would be cut at a `=`.
 */
export const filterOverrides = (output: string): ReadonlyArray<readonly [key: string, value: string]> => {
  const fields = output.split("\0")
  const overrides: Array<readonly [string, string]> = []
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [scope, key] = [fields[index], fields[index + 1]]
    if (key === undefined || (scope !== "local" && scope !== "worktree")) continue
    overrides.push([key, key.endsWith(".required") ? "false" : ""])
  }
  return overrides
}

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
