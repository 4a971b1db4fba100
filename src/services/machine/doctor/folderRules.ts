import type { OpenFolder } from "../../platform/settings/prepareHome.ts"
import type { StoreFault } from "../../platform/sqlite/storeFault.ts"
import { type Finding, ok, problem, warning } from "./doctorCheck.ts"
import type { Hearing } from "./lookAtWorkspace.ts"

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

const LOW = 200 * 1024 * 1024
const FREE_SPACE = "Free up some space: the board and settings are stored there."

const OPEN: Readonly<Record<OpenFolder, string>> = {
  anothers: "Writable, but it belongs to another user, and its owner decides who else may look into it.",
  withoutModes: "Writable, but its file system has no permissions, so others may be able to look into it."
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** The console's own folder: `open` if it can't be closed to others, `fault` if its database can't be written to. */
export const homeFinding = (
  facts: FolderFacts,
  { open, fault }: { readonly open?: OpenFolder | undefined; readonly fault?: StoreFault | undefined } = {}
): Finding => {
  if (!facts.isThere) return ok("It will be created at the first start.")
  if (!facts.isFolder) return problem("There's a file in its place.", "Set SVC_HOME to a folder this user owns.")
  if (!facts.isWritable) {
    return problem("This user can't write to it.", "Give this user access, or set SVC_HOME to another folder.")
  }
  if (fault?.reason === "disk_full") return problem("Its disk is full, so changes can't be saved.", FREE_SPACE)
  if (fault !== undefined) {
    // What to do is part of these sentences.
    return { state: fault.reason === "busy" ? "warning" : "problem", detail: sentence(fault.message) }
  }
  if (facts.freeBytes < LOW) {
    return warning(`Only ${Math.floor(facts.freeBytes / 1024 / 1024)} MB free on its disk.`, FREE_SPACE)
  }
  return open === undefined
    ? ok("Writable, by this user only.")
    : warning(OPEN[open], "Set SVC_HOME to a folder on a disk of this machine that this user owns.")
}

/** The gateway's folder, with the agents' memory and workspaces; `hearing` if the workspace can be written to. */
export const gatewayFilesFinding = (facts: FolderFacts, workspace: FolderFacts, hearing?: Hearing): Finding => {
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
  if (!workspace.isWritable) {
    return warning("The workspace is read-only for this user.", "Run the console as the user who runs the gateway.")
  }
  switch (hearing?.deafTo) {
    case "silent":
      return warning(
        "The system doesn't tell of changes to the workspace, so its files are checked once a second.",
        "Raise fs.inotify.max_user_watches if it has no watches left."
      )
    case "elsewhere":
      return ok(
        `The workspace is readable and writable. It's on ${hearing?.fileSystem}, which doesn't tell of changes from elsewhere, so its files are checked once a second.`
      )
    default:
      return ok("The workspace is readable and writable.")
  }
}
