import type { Failure } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"
import type { OpenFolder } from "../../platform/settings/prepareHome.ts"
import type { StoreFault } from "../../platform/sqlite/storeFault.ts"
import { type Finding, finding, ok, problem, warning } from "./doctorCheck.ts"
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
const FREE_SPACE = failure("FREE_UP_SPACE")

const OPEN: Readonly<Record<OpenFolder, Failure>> = {
  anothers: failure("HOME_OF_ANOTHER"),
  withoutModes: failure("HOME_WITHOUT_MODES")
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
    return problem(failure("HOME_NOT_WRITABLE"), failure("ALLOW_HOME"))
  }
  if (fault?.reason === "disk_full") return problem(failure("HOME_DISK_FULL"), FREE_SPACE)
  if (fault !== undefined) {
    // What to do is part of these sentences.
    return finding(fault.reason === "busy" ? "warning" : "problem", { ...fault, message: sentence(fault.message) })
  }
  if (facts.freeBytes < LOW) {
    return warning(failure("HOME_LOW_SPACE", { size: Math.floor(facts.freeBytes / 1024 / 1024) }), FREE_SPACE)
  }
  return open === undefined ? ok(failure("HOME_WRITABLE")) : warning(OPEN[open], failure("MOVE_HOME"))
}

/** The gateway's folder, with the agents' memory and workspaces; `hearing` if the workspace can be written to. */
export const gatewayFilesFinding = (facts: FolderFacts, workspace: FolderFacts, hearing?: Hearing): Finding => {
  if (!facts.isThere || !facts.isFolder) {
    return warning(failure("GATEWAY_FOLDER_ELSEWHERE"), failure("RUN_WITH_GATEWAY"))
  }
  if (!workspace.isThere) return ok(failure("WORKSPACE_NOT_CREATED"))
  if (!workspace.isReadable) {
    return problem(failure("WORKSPACE_NOT_READABLE"), failure("RUN_AS_GATEWAY_USER"))
  }
  if (!workspace.isWritable) {
    return warning(failure("WORKSPACE_NOT_WRITABLE"), failure("RUN_AS_GATEWAY_USER"))
  }
  switch (hearing?.deafTo) {
    case "silent":
      return warning(failure("WORKSPACE_POLLED"), failure("RAISE_WATCHES"))
    case "elsewhere":
      return ok(failure("WORKSPACE_POLLED_ON", { name: hearing?.fileSystem ?? "" }))
    default:
      return ok(failure("WORKSPACE_OK"))
  }
}
