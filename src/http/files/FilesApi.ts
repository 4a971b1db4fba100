import { ByteSize, Schema } from "effect"
import { Multipart } from "effect/http"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { FileNode } from "../../services/files/fileTree.ts"
import { TrashEntry, TrashId } from "../../services/files/trash.ts"
import { MAX_TREE_DEPTH } from "../../services/files/WorkspaceFiles.ts"
import { FILE_ERRORS } from "./fileErrorBodies.ts"

const Ok = Schema.Literal(true)
const path = Schema.String
const Mtime = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const Depth = Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: MAX_TREE_DEPTH }))
const Changed = Schema.Struct({ ok: Ok, path })

/** Largest uploaded file; with the framing of its form it stays below the global limit of 13 MB. */
const MAX_UPLOAD = ByteSize.mebibytes(12)

/** Header of a tree that leaves things out because there is too much. */
export const TRUNCATED_HEADER = "x-tree-truncated"

/** Browse and edit the files of the workspace (SPEC "File browser"). */
export class FilesApi extends HttpApiGroup.make("files")
  .add(
    HttpApiEndpoint.get("tree", "/api/files/tree", {
      query: { path: Schema.optionalKey(path), depth: Schema.optionalKey(Depth) },
      success: Schema.Array(FileNode),
      error: FILE_ERRORS
    }).annotate(OpenApi.Summary, "Files and folders; a folder without `children` has not been looked into"),
    HttpApiEndpoint.get("read", "/api/files/read", {
      query: { path },
      success: Schema.Struct({ content: Schema.String, mtime: Schema.Finite }),
      error: FILE_ERRORS
    }).annotate(OpenApi.Summary, "A text file of at most 2 MB, with its modification time"),
    HttpApiEndpoint.post("write", "/api/files/write", {
      payload: Schema.Struct({ path, content: Schema.String, mtime: Mtime }),
      success: Schema.Struct({ ok: Ok, mtime: Schema.Finite }),
      error: FILE_ERRORS
    }).annotate(OpenApi.Summary, "Save a text file as it was read at `mtime`; 0 makes a new one"),
    HttpApiEndpoint.post("mkdir", "/api/files/mkdir", {
      payload: Schema.Struct({ path }),
      success: Changed,
      error: FILE_ERRORS
    }).annotate(OpenApi.Summary, "Make a folder"),
    HttpApiEndpoint.post("rename", "/api/files/rename", {
      payload: Schema.Struct({ path, name: Schema.String }),
      success: Changed,
      error: FILE_ERRORS
    }).annotate(OpenApi.Summary, "Give a file or folder another name"),
    HttpApiEndpoint.post("move", "/api/files/move", {
      payload: Schema.Struct({ path, to: path }),
      success: Changed,
      error: FILE_ERRORS
    }).annotate(OpenApi.Summary, "Move a file or folder to another path, which must be free"),
    HttpApiEndpoint.post("delete", "/api/files/delete", {
      payload: Schema.Struct({ path }),
      success: Schema.Struct({ ok: Ok, path, undo: Schema.NullOr(TrashId) }),
      error: FILE_ERRORS
    }).annotate(OpenApi.Summary, "Delete into the trash, for 30 days; `undo` is null where deletes are permanent"),
    HttpApiEndpoint.get("trash", "/api/files/trash", {
      success: Schema.Struct({ ok: Ok, isPermanent: Schema.Boolean, entries: Schema.Array(TrashEntry) }),
      error: FILE_ERRORS
    }).annotate(
      OpenApi.Summary,
      "What was deleted in the last 30 days, the last first; `isPermanent` where nothing can be restored"
    ),
    HttpApiEndpoint.post("restore", "/api/files/restore", {
      payload: Schema.Struct({ undo: TrashId }),
      success: Changed,
      error: FILE_ERRORS
    }).annotate(OpenApi.Summary, "Undo a delete"),
    HttpApiEndpoint.post("upload", "/api/files/upload", {
      payload: Schema.Struct({ path: Schema.optionalKey(path), file: Multipart.SingleFileSchema }).pipe(
        HttpApiSchema.asMultipart({ maxParts: 8, maxFileSize: MAX_UPLOAD, maxFieldSize: ByteSize.kibibytes(16) })
      ),
      success: Schema.Struct({ ok: Ok, path, mtime: Schema.Finite }),
      error: FILE_ERRORS
    }).annotate(OpenApi.Summary, "Put one file of at most 12 MB into the folder `path`; never replaces one"),
    HttpApiEndpoint.get("download", "/api/files/download", {
      query: { path, view: Schema.optionalKey(Schema.Literal("pdf")) },
      success: HttpApiSchema.StreamUint8Array(),
      error: FILE_ERRORS
    }).annotate(
      OpenApi.Summary,
      "The bytes of a file, whole or one range of them; with `view` for the browser's own viewer"
    )
  )
  .annotate(OpenApi.Title, "Files") {}
