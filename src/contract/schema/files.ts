import { Schema } from "effect"
import { done } from "./fields.ts"

const kind = Schema.Literals(["file", "directory"])
const node = {
  name: Schema.String,
  /** Relative to the root, with slashes. */
  path: Schema.String,
  type: kind,
  /** The folder holds more than is shown. */
  truncated: Schema.optionalKey(Schema.Literal(true)),
  /** Why it can't be read or changed from here; absent otherwise. */
  unusable: Schema.optionalKey(Schema.String)
}

/** A file or folder of the workspace. */
export interface FileNode extends Schema.Struct.Type<typeof node> {
  /** Of folders, as far as they were read: without it the folder has not been looked into. */
  readonly children?: ReadonlyArray<FileNode>
}

const FileNode = Schema.Struct({
  ...node,
  children: Schema.optionalKey(Schema.Array(Schema.suspend((): Schema.Codec<FileNode> => FileNode)))
})

export const FileTree = Schema.Array(FileNode)

/** A file or folder whose path has what was looked for. */
const FoundPath = Schema.Struct({
  /** Relative to the agent's workspace, with slashes. */
  path: Schema.String,
  type: kind
})
export type FoundPath = typeof FoundPath.Type

export const FoundPaths = Schema.Struct({
  entries: Schema.Array(FoundPath),
  /** Whether there are more. */
  isCut: Schema.Boolean
})
export type FoundPaths = typeof FoundPaths.Type

/** A text file, with the time of its last change in epoch milliseconds. */
export const FileText = Schema.Struct({ content: Schema.String, mtime: Schema.Finite })
export type FileText = typeof FileText.Type

export const SavedFile = Schema.Struct({ ...done, mtime: Schema.Finite })
export type SavedFile = typeof SavedFile.Type

/** Where something is after a change. */
export const ChangedPath = Schema.Struct({ ...done, path: Schema.String })
export type ChangedPath = typeof ChangedPath.Type

export const UploadedTo = Schema.Struct({ ...done, path: Schema.String, mtime: Schema.Finite })

/** Identifies a deletion, to undo it. */
export const TrashId = Schema.String.check(Schema.isPattern(/^\d{13}-[0-9a-f]{12}$/))

/** `undo` is null where deletes are permanent. */
export const DeletedPath = Schema.Struct({ ...done, path: Schema.String, undo: Schema.NullOr(TrashId) })
export type DeletedPath = typeof DeletedPath.Type

/** A deleted entry that can be restored. */
const TrashEntry = Schema.Struct({
  undo: TrashId,
  /** Where it was, relative to the root. */
  path: Schema.String,
  /** Epoch milliseconds. */
  deletedAt: Schema.Finite
})
export type TrashEntry = typeof TrashEntry.Type

export const TrashList = Schema.Struct({ ...done, isPermanent: Schema.Boolean, entries: Schema.Array(TrashEntry) })
export type TrashList = typeof TrashList.Type

/** Where a file is that came with a message. */
export const UploadedFile = Schema.Struct({
  ...done,
  /** Relative to the agent's workspace, with slashes. */
  path: Schema.String,
  /** In bytes. */
  size: Schema.Int
})
export type UploadedFile = typeof UploadedFile.Type

/** Data of `file.changed`. */
export const FileChange = Schema.Struct({
  /** Relative to the workspace. */
  path: Schema.String,
  /** Epoch milliseconds; 0 when the file is gone. */
  mtime: Schema.Finite,
  /** Whose workspace; absent for the default agent. */
  agent: Schema.optionalKey(Schema.String)
})
export type FileChange = typeof FileChange.Type

/** The branch or short hash, and whether there are uncommitted changes. */
export const GitState = Schema.Struct({ branch: Schema.NullOr(Schema.String), dirty: Schema.Boolean })
