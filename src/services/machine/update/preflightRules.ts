import { Result, SemVer } from "effect"

const MEBIBYTE = 1024 * 1024

/** Free bytes needed for swapping: git writes another version's files. */
const NEEDED_FOR_FILES = 64 * MEBIBYTE
/** Minimum free bytes for preparing a version. */
const NEEDED_AT_LEAST = 1024 * MEBIBYTE

const OLDEST_NODE = "24.0.0"
const OLDEST_NPM = "9.0.0"
const LISTED = 10

/** An entry of the checkout with its owner's user id. */
export interface Owned {
  readonly name: string
  readonly owner: number
}

const isOlder = (version: string, than: string): boolean =>
  Result.match(SemVer.parse(version.replace(/^v/, "")), {
    onFailure: () => true,
    onSuccess: (parsed) => SemVer.isLessThan(parsed, SemVer.parseUnsafe(than))
  })

/** The first few names, for a sentence. */
export const listed = (names: ReadonlyArray<string>): string =>
  names.length <= LISTED ? names.join(", ") : `${names.slice(0, LISTED).join(", ")} and ${names.length - LISTED} more`

/** Why the tools are too old for a build. */
export const toolProblem = (tools: { readonly node: string; readonly npm: string }): string | undefined => {
  if (isOlder(tools.node, OLDEST_NODE)) return `Node ${OLDEST_NODE} or newer is required, but this is ${tools.node}`
  return isOlder(tools.npm, OLDEST_NPM) ? `npm ${OLDEST_NPM} or newer is required, but this is ${tools.npm}` : undefined
}

/** Why this user shouldn't update a checkout whose files belong to these users. */
export const ownerProblem = (
  user: number,
  directoryOwner: number,
  entries: ReadonlyArray<Owned>
): string | undefined => {
  if (directoryOwner !== user) {
    return user === 0
      ? "the checkout belongs to another user, and an update as root would leave files that user can't change: run it as that user"
      : "the checkout belongs to another user: run the update as that user"
  }
  const foreign = entries.filter(({ owner }) => owner !== user)
  if (foreign.length === 0) return undefined
  const whose = foreign.every(({ owner }) => owner === 0) ? "root" : "other users"
  return `these files belong to ${whose}: ${listed(foreign.map(({ name }) => name))}. Take ownership with \`sudo chown -R "$(id -un)" .\` in the checkout`
}

/**
 * Free bytes a run needs. A version is prepared next to the one in place, so there has to be room for its packages,
 * plus the same again while they're unpacked and cached by the package manager. `installed` is the size of the packages
 * in place.
 */
export const neededBytes = ({
  installs,
  installed
}: {
  readonly installs: boolean
  readonly installed: number
}): number => (installs ? Math.max(NEEDED_AT_LEAST, 2 * installed) : NEEDED_FOR_FILES)

const mebibytes = (bytes: number) => `${Math.floor(bytes / MEBIBYTE)} MB`

/** Why there isn't enough space. */
export const spaceProblem = (free: number, needed: number): string | undefined =>
  free < needed
    ? `only ${mebibytes(free)} free on the checkout's disk, and this needs ${mebibytes(needed)}: free up some space first`
    : undefined

/** A folder that is swapped by renaming, and what prevents that. */
export interface Renamed {
  readonly name: string
  readonly isLink: boolean
  readonly isElsewhere: boolean
}

/** Why versions can't be swapped by renaming: that only works within one file system. */
export const renameProblem = (folders: ReadonlyArray<Renamed>): string | undefined => {
  const link = folders.find(({ isLink }) => isLink)
  if (link !== undefined) {
    return `${link.name} is a symbolic link, but updates swap it by renaming: put the folder itself into the checkout`
  }
  const elsewhere = folders.find(({ isElsewhere }) => isElsewhere)
  return elsewhere === undefined
    ? undefined
    : `${elsewhere.name} is on a different file system than the checkout, but updates swap it by renaming: move it into the checkout`
}

/** Why changed tracked files prevent an update: it would discard the changes. */
export const changesProblem = (changes: ReadonlyArray<string>): string | undefined =>
  changes.length === 0
    ? undefined
    : `these tracked files have changes: ${listed(changes)}. Commit them, or discard the changes with \`git checkout .\``
