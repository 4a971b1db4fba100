import { posix } from "node:path"
import { Context } from "effect"
import { failure } from "../../../contract/failures.ts"

export interface UpdateTargetShape {
  /** The checkout to update; absolute. */
  readonly directory: string
  /** The console's own folder; update state is in `updater/` below it. */
  readonly svcHome: string
  /** Where the console answers when it's running, without a trailing slash. */
  readonly address: string
  /** `PATH` for the programs an update runs, without the checkout's own: those disappear during installation. */
  readonly path: string | undefined
  /** Where to look up the latest release, instead of the git remote's code host. */
  readonly releasesUrl: string | undefined
  /** The file of keys that may sign versions (as ssh has it); without one, signatures aren't asked for. */
  readonly allowedSigners: string | undefined
}

/** Why there is nothing to update, and what to do instead. */
export const NO_CHECKOUT = failure("NO_CHECKOUT")
export const NO_REMOTE = failure("NO_REMOTE")

/** What is updated. */
export class UpdateTarget extends Context.Service<UpdateTarget, UpdateTargetShape>()(
  "agent-console/services/machine/update/UpdateTarget"
) {}

/** The folder in a checkout where updates prepare and keep versions, on the same file system. */
export const FOLDER = ".update"

/** The prepared version's folder, relative to the update folder. */
export const PREPARED = "next"

/** A kept version's folder, relative to the update folder. */
export const keptAs = (commit: string): string => posix.join("kept", commit)

/** The paths of one checkout's updates. */
export const updatePlaces = (directory: string) => {
  const folder = posix.join(directory, FOLDER)
  return {
    folder,
    /** Makes git, and tools that follow its ignore rules, skip all of this. */
    ignore: posix.join(folder, ".gitignore"),
    /** The version being prepared. */
    next: posix.join(folder, PREPARED),
    /** Names the commit of a complete preparation. */
    ready: posix.join(folder, PREPARED, ".ready.json"),
    /** Earlier versions, each in a folder named after its commit. */
    kept: posix.join(folder, "kept"),
    /** The swap in progress. */
    swap: posix.join(folder, "swap.json"),
    /** Files of the previous version kept for a console that may still be running. */
    leftover: posix.join(folder, "leftover.json")
  }
}
