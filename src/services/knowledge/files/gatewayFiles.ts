import { Effect, Schema } from "effect"
import { failure } from "../../../contract/failures.ts"
import type { FileNode } from "../../../contract/schema/files.ts"
import type { GatewayClientShape } from "../../gateway/client/GatewayClient.ts"
import type { GatewayError } from "../../gateway/client/GatewayError.ts"
import { type FileError, FileMissing, FileRefused } from "../../platform/storage/fileErrors.ts"
import { WorkspaceForbidden } from "../agents/Workspace.ts"
import { type FileTree, sortNodes } from "./fileTree.ts"
import { parseRelativePath } from "./relativePath.ts"

const LIMIT = { timeout: "10 seconds" } as const
/** Entries of a folder in one answer, the gateway's maximum. */
const MOST_ENTRIES = 500
const LIST = "agents.workspace.list"

const Folder = Schema.Struct({
  entries: Schema.Array(
    Schema.Struct({ name: Schema.String, path: Schema.String, kind: Schema.Literals(["file", "directory"]) })
  ),
  totalEntries: Schema.optionalKey(Schema.Int)
})
const File = Schema.Struct({
  file: Schema.Struct({ encoding: Schema.String, content: Schema.String, updatedAtMs: Schema.Finite })
})

/** Read-only access to the files of an agent. */
export interface ShownFiles {
  /** The tree below a folder, at most `depth` levels; from another machine, one level at a time. */
  readonly tree: (path: string, depth: number) => Effect.Effect<FileTree, ShownFileError>
  /** A text file and its modification time in epoch milliseconds. */
  readonly read: (path: string) => Effect.Effect<{ readonly content: string; readonly mtime: number }, ShownFileError>
}

export type ShownFileError = FileError | WorkspaceForbidden | GatewayError

const missing = (error: GatewayError): FileMissing | GatewayError =>
  error.code === "INVALID_REQUEST" ? new FileMissing() : error

/** The files of an agent on the machine of an added gateway; older gateways provide none. */
export const gatewayFiles = (client: GatewayClientShape, agentId: string): ShownFiles => {
  const checked = Effect.fnUntraced(function* (path: string) {
    const connection = yield* client.connection
    if (connection !== undefined && !connection.methods.has(LIST))
      return yield* new WorkspaceForbidden(failure("GATEWAY_FILES_UNSUPPORTED"))
    return (yield* Effect.fromResult(parseRelativePath(path))).join("/")
  })

  return {
    tree: Effect.fn("gatewayFiles.tree")(function* (path) {
      const params = { agentId, path: yield* checked(path), limit: MOST_ENTRIES }
      const { entries, totalEntries = 0 } = yield* Effect.mapError(client.request(LIST, params, Folder, LIMIT), missing)
      const nodes = entries.map(({ kind: type, ...node }): FileNode => ({ ...node, type }))
      return { nodes: sortNodes(nodes), isCut: totalEntries > entries.length }
    }),
    read: Effect.fn("gatewayFiles.read")(function* (path) {
      const params = { agentId, path: yield* checked(path) }
      const { file } = yield* client.request("agents.workspace.get", params, File, LIMIT).pipe(
        // The gateway returns the same error for a file that is too large, isn't text or doesn't exist.
        Effect.mapError((error) =>
          error.code === "INVALID_REQUEST"
            ? new FileRefused(failure("GATEWAY_TEXT_FILES_ONLY", { field: "path" }))
            : error
        )
      )
      if (file.encoding !== "utf8") return yield* new FileRefused(failure("GATEWAY_PICTURE", { field: "path" }))
      return { content: file.content, mtime: file.updatedAtMs }
    })
  }
}
