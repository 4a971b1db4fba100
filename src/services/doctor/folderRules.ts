import { type Finding, ok, problem, warning } from "./doctorCheck.ts"

/** What was found out about a folder. */
export interface FolderFacts {
  readonly isThere: boolean
  readonly isFolder: boolean
  readonly isReadable: boolean
  readonly isWritable: boolean
  /** Permission bits. */
  readonly mode: number
  readonly freeBytes: number
}

const OWNER_ONLY = 0o700
const LOW = 200 * 1024 * 1024

/** The console's own folder: it is made at the first start, and needs to be written (D1). */
export const homeFinding = (facts: FolderFacts): Finding => {
  if (!facts.isThere) return ok("It is made at the first start.")
  if (!facts.isFolder) return problem("A file stands in its place.", "Set SVC_HOME to a folder of this user.")
  if (!facts.isWritable) {
    return problem("This user may not write in it.", "Give it to this user, or set SVC_HOME to another folder.")
  }
  if (facts.freeBytes < LOW) {
    return warning(
      `Only ${Math.floor(facts.freeBytes / 1024 / 1024)} MB are free on its disk.`,
      "Make room: the board and settings are kept there."
    )
  }
  return facts.mode === OWNER_ONLY
    ? ok("It can be written, by this user alone.")
    : ok("It can be written; the next start closes it to other users.")
}

/** The gateway's folder, with memory and workspace of the agents. */
export const gatewayFilesFinding = (facts: FolderFacts, workspace: FolderFacts): Finding => {
  if (!facts.isThere || !facts.isFolder) {
    return warning(
      "The gateway's folder is not on this machine: memory, files and transcripts cannot be shown.",
      "Run the console on the gateway's machine, or set GATEWAY_HOME to its folder."
    )
  }
  if (!workspace.isThere) return warning("There is no workspace in it yet.", "Let an agent work once.")
  if (!workspace.isReadable) {
    return problem("This user may not read the workspace.", "Run the console as the user who runs the gateway.")
  }
  return workspace.isWritable
    ? ok("The workspace can be read and written.")
    : warning("The workspace can be read but not changed.", "Run the console as the user who runs the gateway.")
}
