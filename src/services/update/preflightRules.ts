import { Result, SemVer } from "effect"

/** Free bytes an update needs: packages and a build of two versions for a moment. */
export const NEEDED_BYTES = 1024 * 1024 * 1024

const OLDEST_NODE = "24.0.0"
const OLDEST_NPM = "9.0.0"
const LISTED = 10

/** An entry of the checkout with the id of the user it belongs to. */
export interface Owned {
  readonly name: string
  readonly owner: number
}

const isOlder = (version: string, than: string): boolean =>
  Result.match(SemVer.parse(version.replace(/^v/, "")), {
    onFailure: () => true,
    onSuccess: (parsed) => SemVer.isLessThan(parsed, SemVer.parseUnsafe(than))
  })

/** Some names for a sentence, not all of a thousand. */
export const listed = (names: ReadonlyArray<string>): string =>
  names.length <= LISTED ? names.join(", ") : `${names.slice(0, LISTED).join(", ")} and ${names.length - LISTED} more`

/** Why the tools are too old for a build. */
export const toolProblem = (tools: { readonly node: string; readonly npm: string }): string | undefined => {
  if (isOlder(tools.node, OLDEST_NODE)) return `Node ${OLDEST_NODE} or newer is needed and this is ${tools.node}`
  return isOlder(tools.npm, OLDEST_NPM) ? `npm ${OLDEST_NPM} or newer is needed and this is ${tools.npm}` : undefined
}

/** Why this user should not update a checkout whose files belong to these users. */
export const ownerProblem = (
  user: number,
  directoryOwner: number,
  entries: ReadonlyArray<Owned>
): string | undefined => {
  if (directoryOwner !== user) {
    return user === 0
      ? "the checkout belongs to another user, and an update as root would leave files that user cannot change: run it as that user"
      : "the checkout belongs to another user: run the update as that user"
  }
  const foreign = entries.filter(({ owner }) => owner !== user)
  if (foreign.length === 0) return undefined
  const whose = foreign.every(({ owner }) => owner === 0) ? "root" : "other users"
  return `these belong to ${whose}: ${listed(foreign.map(({ name }) => name))}. Give them back with \`sudo chown -R "$(id -un)" .\` in the checkout`
}

const mebibytes = (bytes: number) => `${Math.floor(bytes / 1024 / 1024)} MB`

/** Why there is too little room. */
export const spaceProblem = (free: number, needed: number): string | undefined =>
  free < needed
    ? `only ${mebibytes(free)} are free and an update needs ${mebibytes(needed)}: make room first`
    : undefined

/** Why tracked files keep an update from starting: it would throw the changes away. */
export const changesProblem = (changes: ReadonlyArray<string>): string | undefined =>
  changes.length === 0
    ? undefined
    : `these tracked files were changed: ${listed(changes)}. Commit them, or drop the changes with \`git checkout .\``
