import { type Finding, ok, problem, warning } from "./doctorCheck.ts"

/** The facts about a folder. */
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

/** The console's own folder: created at the first start, and must be writable. */
export const homeFinding = (facts: FolderFacts): Finding => {
  if (!facts.isThere) return ok("It will be created at the first start.")
  if (!facts.isFolder) return problem("There's a file in its place.", "Set SVC_HOME to a folder this user owns.")
  if (!facts.isWritable) {
    return problem("This user can't write to it.", "Give this user access, or set SVC_HOME to another folder.")
  }
  if (facts.freeBytes < LOW) {
    return warning(
      `Only ${Math.floor(facts.freeBytes / 1024 / 1024)} MB free on its disk.`,
      "Free up some space: the board and settings are stored there."
    )
  }
  return facts.mode === OWNER_ONLY
    ? ok("Writable, by this user only.")
    : ok("Writable; the next start makes it private to this user.")
}

/** The gateway's folder, with the agents' memory and workspaces. */
export const gatewayFilesFinding = (facts: FolderFacts, workspace: FolderFacts): Finding => {
  if (!facts.isThere || !facts.isFolder) {
    return warning(
      "The gateway's folder isn't on this machine, so memory, files and transcripts can't be shown.",
      "Run the console on the gateway's machine, or set GATEWAY_HOME to its folder."
    )
  }
  if (!workspace.isThere) return ok("The agent's workspace will be created when an agent first runs.")
  if (!workspace.isReadable) {
    return problem("This user can't read the workspace.", "Run the console as the user who runs the gateway.")
  }
  return workspace.isWritable
    ? ok("The workspace is readable and writable.")
    : warning("The workspace is read-only for this user.", "Run the console as the user who runs the gateway.")
}
