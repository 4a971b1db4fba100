import { Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { MAX_TREE_DEPTH, WorkspaceFiles } from "../../services/files/WorkspaceFiles.ts"
import { Api } from "../Api.ts"
import { TRUNCATED_HEADER } from "./FilesApi.ts"
import { attachment, fileResponse } from "./fileResponse.ts"

const ok = true as const

const markTruncated = HttpEffect.appendPreResponseHandler((_request, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, TRUNCATED_HEADER, "true"))
)

export const FilesHandlers = HttpApiBuilder.group(
  Api,
  "files",
  Effect.fn(function* (handlers) {
    const files = yield* WorkspaceFiles
    return handlers.handleAll({
      tree: ({ query }) =>
        Effect.gen(function* () {
          const { nodes, isCut } = yield* files.tree(query.path ?? "", query.depth ?? MAX_TREE_DEPTH)
          if (isCut) yield* markTruncated
          return nodes
        }),
      read: ({ query }) => files.read(query.path),
      write: ({ payload: { path, content, mtime } }) =>
        Effect.map(files.write(path, content, mtime), (saved) => ({ ok, mtime: saved })),
      mkdir: ({ payload: { path } }) => Effect.as(files.makeFolder(path), { ok, path }),
      rename: ({ payload }) => Effect.map(files.rename(payload.path, payload.name), (path) => ({ ok, path })),
      move: ({ payload: { path, to } }) => Effect.as(files.move(path, to), { ok, path: to }),
      delete: ({ payload: { path } }) => Effect.map(files.remove(path), (undo) => ({ ok, path, undo })),
      trash: () =>
        Effect.map(files.trash, (entries) => ({ ok, isPermanent: entries === null, entries: entries ?? [] })),
      restore: ({ payload }) => Effect.map(files.restore(payload.undo), (path) => ({ ok, path })),
      upload: ({ payload: { path, file } }) =>
        Effect.map(files.upload(path ?? "", file.name, file.path), (made) => ({ ok, ...made })),
      download: ({ query, request }) =>
        Effect.map(files.open(query.path), (file) =>
          fileResponse(file, request.headers, query.view === "pdf" ? "application/pdf" : "application/octet-stream", {
            "content-disposition": query.view === "pdf" ? "inline" : attachment(file.name),
            "cache-control": "private, no-cache, no-transform"
          })
        )
    })
  })
)
