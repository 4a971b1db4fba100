import { posix } from "node:path"
import { isWithin } from "../files/relativePath.ts"

/** Branch of a working tree, `null` outside of a repository, and whether anything in it is not committed. */
export interface GitState {
  readonly branch: string | null
  readonly dirty: boolean
}

export const NO_REPOSITORY: GitState = { branch: null, dirty: false }

const SHORT_HASH = 7

/** Whether a line of `git status --porcelain=v2 --branch` is a header; every other one is a change. */
export const isHeaderLine = (line: string): boolean => line.startsWith("# ")

/**
 * Reads `git status --porcelain=v2 --branch`, which may be cut off after the first change. A detached head is named by
 * its short hash.
 */
export const parseStatus = (lines: ReadonlyArray<string>): GitState => {
  const header = (name: string) =>
    lines.find((line) => line.startsWith(`# branch.${name} `))?.slice(`# branch.${name} `.length)
  const head = header("head")
  const branch = head === "(detached)" ? header("oid")?.slice(0, SHORT_HASH) : head
  return { branch: branch ?? null, dirty: lines.some((line) => line !== "" && !isHeaderLine(line)) }
}

/** The folders of `git worktree list --porcelain -z`, the main one first; bare repositories are left out. */
export const parseWorktrees = (output: string): ReadonlyArray<string> =>
  output.split("\0\0").flatMap((record) => {
    const fields = record.split("\0")
    const path = fields.find((field) => field.startsWith("worktree "))?.slice("worktree ".length)
    return path === undefined || fields.includes("bare") ? [] : [path]
  })

/**
 * Settings that keep filters a repository defines for itself from running, out of `git config --show-scope --name-only
 * -z`. They go by variables: on the command line a name with `=` in it would be cut there.
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

/** Settings that keep `git` from starting programs a repository names, from the network and from writing. */
export const SAFE_OPTIONS: ReadonlyArray<string> = [
  "--no-pager",
  "--no-optional-locks",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.sshCommand=false",
  "-c",
  "credential.helper=",
  "-c",
  "protocol.allow=never",
  "-c",
  "status.submoduleSummary=false",
  "-c",
  "submodule.recurse=false"
]

/**
 * Where working directories may be registered (SPEC "Git info"): WORKSPACE_ROOT when it is set; else the folder that
 * holds the main working tree, and every linked tree; outside of a repository the parent of the working directory. The
 * top of the disk is never a base: then it is the directory itself.
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

/** Whether a path is in one of the bases, separators respected. */
export const isAllowed = (bases: ReadonlyArray<string>, path: string): boolean =>
  bases.some((base) => isWithin(base, path))
