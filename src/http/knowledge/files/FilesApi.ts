import { ByteSize, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { text } from "../../../contract/schema/fields.ts"
import {
  ChangedPath,
  DeletedPath,
  FileText,
  FileTree,
  FoundPaths,
  SavedFile,
  TrashId,
  TrashList,
  UploadedTo
} from "../../../contract/schema/files.ts"
import { ratePresets } from "../../../services/access/ratelimit/attemptStore.ts"
import { MAX_FOUND } from "../../../services/knowledge/files/FileFinder.ts"
import { MAX_TREE_DEPTH } from "../../../services/knowledge/files/WorkspaceFiles.ts"
import { FormFile, fileForm } from "../../fileForm.ts"
import { Right, rights } from "../../Right.ts"
import { Mark, mark } from "../../RouteMark.ts"
import { FILE_ERRORS, OWNER_ERRORS } from "../agents/agentErrorBodies.ts"
import { ownerQuery } from "../agents/agentQuery.ts"

const path = Schema.String
const Mtime = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const MAX_SOUGHT = 500
const Depth = Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: MAX_TREE_DEPTH }))
const Limit = Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: MAX_FOUND }))

/** Files of an added gateway can only be looked at: everything but `tree`, `find` and `read` is refused with 403. */
const ERRORS = [...OWNER_ERRORS, ...FILE_ERRORS] as const

/** Largest upload; with its multipart framing it stays below the global limit of 13 MB. */
const MAX_UPLOAD = ByteSize.mebibytes(12)

/** Header of a tree that's incomplete because there's too much to list. */
export const TRUNCATED_HEADER = "x-tree-truncated"

/** Browse and edit the files of an agent's workspace. */
export class FilesApi extends HttpApiGroup.make("files")
  .add(
    HttpApiEndpoint.get("tree", "/api/files/tree", {
      query: { ...ownerQuery, path: Schema.optionalKey(path), depth: Schema.optionalKey(Depth) },
      success: FileTree,
      error: ERRORS
    }).annotate(
      OpenApi.Summary,
      "List files and folders; a folder without `children` hasn't been read yet, as none is of another `gateway`"
    ),
    HttpApiEndpoint.get("find", "/api/files/find", {
      query: { ...ownerQuery, q: text(MAX_SOUGHT), limit: Schema.optionalKey(Limit) },
      success: FoundPaths,
      error: ERRORS
    })
      .annotate(
        OpenApi.Summary,
        "Find files and folders of an agent's workspace by letters of their path, best first; of another `gateway` in one folder"
      )
      .annotate(Mark, mark({ rate: ratePresets.writing })),
    HttpApiEndpoint.get("read", "/api/files/read", {
      query: { ...ownerQuery, path },
      success: FileText,
      error: ERRORS
    }).annotate(OpenApi.Summary, "Read a text file of up to 2 MB, with its modification time"),
    HttpApiEndpoint.post("write", "/api/files/write", {
      query: ownerQuery,
      payload: Schema.Struct({ path, content: Schema.String, mtime: Mtime }),
      success: SavedFile,
      error: ERRORS
    }).annotate(OpenApi.Summary, "Save a text file, if it's unchanged since `mtime`; 0 creates a new file"),
    HttpApiEndpoint.post("mkdir", "/api/files/mkdir", {
      query: ownerQuery,
      payload: Schema.Struct({ path }),
      success: ChangedPath,
      error: ERRORS
    }).annotate(OpenApi.Summary, "Make a folder"),
    HttpApiEndpoint.post("rename", "/api/files/rename", {
      query: ownerQuery,
      payload: Schema.Struct({ path, name: Schema.String }),
      success: ChangedPath,
      error: ERRORS
    }).annotate(OpenApi.Summary, "Rename a file or folder"),
    HttpApiEndpoint.post("move", "/api/files/move", {
      query: ownerQuery,
      payload: Schema.Struct({ path, to: path }),
      success: ChangedPath,
      error: ERRORS
    }).annotate(OpenApi.Summary, "Move a file or folder to a path that doesn't exist yet"),
    HttpApiEndpoint.post("delete", "/api/files/delete", {
      query: ownerQuery,
      payload: Schema.Struct({ path }),
      success: DeletedPath,
      error: ERRORS
    }).annotate(OpenApi.Summary, "Move to the trash for 30 days; `undo` is null where deletes are permanent"),
    HttpApiEndpoint.get("trash", "/api/files/trash", {
      query: ownerQuery,
      success: TrashList,
      error: ERRORS
    }).annotate(
      OpenApi.Summary,
      "List what was deleted in the last 30 days, newest first; `isPermanent` where nothing can be restored"
    ),
    HttpApiEndpoint.post("restore", "/api/files/restore", {
      query: ownerQuery,
      payload: Schema.Struct({ undo: TrashId }),
      success: ChangedPath,
      error: ERRORS
    }).annotate(OpenApi.Summary, "Undo a delete"),
    HttpApiEndpoint.post("upload", "/api/files/upload", {
      query: ownerQuery,
      payload: Schema.Struct({
        path: Schema.optionalKey(path),
        existing: Schema.optionalKey(Schema.Literal("replace")),
        file: FormFile
      }).pipe(fileForm(MAX_UPLOAD)),
      success: UploadedTo,
      error: ERRORS
    })
      .annotate(
        OpenApi.Summary,
        "Upload a file of up to 12 MB to the folder `path`; `existing` says to replace a file of that name"
      )
      .annotate(Mark, mark({ body: "form" })),
    HttpApiEndpoint.get("download", "/api/files/download", {
      query: { ...ownerQuery, path, view: Schema.optionalKey(Schema.Literal("pdf")) },
      success: HttpApiSchema.StreamUint8Array(),
      error: ERRORS
    }).annotate(OpenApi.Summary, "Download a file or one byte range of it; with `view`, for the browser's own viewer")
  )
  .annotate(Right, rights("read", "manage"))
  .annotate(OpenApi.Title, "Files") {}
