import { Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { MAX_TREE_DEPTH, WorkspaceFiles } from "../../../services/knowledge/files/WorkspaceFiles.ts"
import { routeHandlers } from "../../routeHandlers.ts"
import { TRUNCATED_HEADER } from "./FilesApi.ts"
import { attachment, fileResponse } from "./fileResponse.ts"

const ok = true as const

const markTruncated = HttpEffect.appendPreResponseHandler((_request, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, TRUNCATED_HEADER, "true"))
)

export const FilesHandlers = routeHandlers(
  "files",
  Effect.fn(function* (handlers) {
    const files = yield* WorkspaceFiles
    return handlers.handleAll({
      tree: ({ query }) =>
        Effect.gen(function* () {
          const own = yield* files.of(query.agent)
          const { nodes, isCut } = yield* own.tree(query.path ?? "", query.depth ?? MAX_TREE_DEPTH)
          if (isCut) yield* markTruncated
          return nodes
        }),
      read: ({ query }) => Effect.flatMap(files.of(query.agent), (own) => own.read(query.path)),
      write: ({ query, payload: { path, content, mtime } }) =>
        files.of(query.agent).pipe(
          Effect.flatMap((own) => own.write(path, content, mtime)),
          Effect.map((saved) => ({ ok, mtime: saved }))
        ),
      mkdir: ({ query, payload: { path } }) =>
        files.of(query.agent).pipe(
          Effect.flatMap((own) => own.makeFolder(path)),
          Effect.as({ ok, path })
        ),
      rename: ({ query, payload }) =>
        files.of(query.agent).pipe(
          Effect.flatMap((own) => own.rename(payload.path, payload.name)),
          Effect.map((path) => ({ ok, path }))
        ),
      move: ({ query, payload: { path, to } }) =>
        files.of(query.agent).pipe(
          Effect.flatMap((own) => own.move(path, to)),
          Effect.as({ ok, path: to })
        ),
      delete: ({ query, payload: { path } }) =>
        files.of(query.agent).pipe(
          Effect.flatMap((own) => own.remove(path)),
          Effect.map((undo) => ({ ok, path, undo }))
        ),
      trash: ({ query }) =>
        files.of(query.agent).pipe(
          Effect.flatMap(({ trash }) => trash),
          Effect.map((entries) => ({ ok, isPermanent: entries === null, entries: entries ?? [] }))
        ),
      restore: ({ query, payload }) =>
        files.of(query.agent).pipe(
          Effect.flatMap((own) => own.restore(payload.undo)),
          Effect.map((path) => ({ ok, path }))
        ),
      upload: ({ query, payload: { path, existing, file } }) =>
        files.of(query.agent).pipe(
          Effect.flatMap((own) => own.upload(path ?? "", file.name, file.path, existing === "replace")),
          Effect.map((made) => ({ ok, ...made }))
        ),
      download: ({ query, request }) =>
        files.of(query.agent).pipe(
          Effect.flatMap((own) => own.open(query.path)),
          Effect.map((file) =>
            fileResponse(file, request.headers, query.view === "pdf" ? "application/pdf" : "application/octet-stream", {
              "content-disposition": query.view === "pdf" ? "inline" : attachment(file.name),
              "cache-control": "private, no-cache, no-transform"
            })
          )
        )
    })
  })
)
