import { Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { PRIMARY } from "../../../contract/qualifiedKey.ts"
import { WorkspaceForbidden } from "../../../services/knowledge/agents/agentErrors.ts"
import { FileFinder } from "../../../services/knowledge/files/FileFinder.ts"
import type { ShownFiles } from "../../../services/knowledge/files/gatewayFiles.ts"
import { MAX_TREE_DEPTH, WorkspaceFiles } from "../../../services/knowledge/files/WorkspaceFiles.ts"
import { type TextsOwner, WorkspaceTexts } from "../../../services/knowledge/texts/WorkspaceTexts.ts"
import { routeHandlers } from "../../routeHandlers.ts"
import { TRUNCATED_HEADER } from "./FilesApi.ts"
import { attachment, fileResponse } from "./fileResponse.ts"

const ok = true as const

/** As many as a list shows. */
const DEFAULT_FOUND = 50

const markTruncated = HttpEffect.appendPreResponseHandler((_request, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, TRUNCATED_HEADER, "true"))
)

export const FilesHandlers = routeHandlers(
  "files",
  Effect.fn(function* (handlers) {
    const files = yield* WorkspaceFiles
    const finder = yield* FileFinder
    const { filesOf } = yield* WorkspaceTexts
    const own = ({ agent, gateway = PRIMARY }: TextsOwner) =>
      gateway === PRIMARY
        ? files.of(agent)
        : Effect.fail(new WorkspaceForbidden({ message: "The files of another gateway can only be looked at." }))
    const shown = Effect.fnUntraced(function* (query: TextsOwner) {
      const { gateway = PRIMARY, ...owner } = query
      const found: ShownFiles = gateway === PRIMARY ? yield* own(query) : yield* filesOf({ ...owner, gateway })
      return found
    })
    return handlers.handleAll({
      tree: ({ query }) =>
        Effect.gen(function* () {
          const { tree } = yield* shown(query)
          const { nodes, isCut } = yield* tree(query.path ?? "", query.depth ?? MAX_TREE_DEPTH)
          if (isCut) yield* markTruncated
          return nodes
        }),
      find: ({ query: { limit = DEFAULT_FOUND, q, ...owner } }) => finder.find(owner, q, limit),
      read: ({ query }) => Effect.flatMap(shown(query), (found) => found.read(query.path)),
      write: ({ query, payload: { path, content, mtime } }) =>
        own(query).pipe(
          Effect.flatMap((found) => found.write(path, content, mtime)),
          Effect.map((saved) => ({ ok, mtime: saved }))
        ),
      mkdir: ({ query, payload: { path } }) =>
        own(query).pipe(
          Effect.flatMap((found) => found.makeFolder(path)),
          Effect.as({ ok, path })
        ),
      rename: ({ query, payload }) =>
        own(query).pipe(
          Effect.flatMap((found) => found.rename(payload.path, payload.name)),
          Effect.map((path) => ({ ok, path }))
        ),
      move: ({ query, payload: { path, to } }) =>
        own(query).pipe(
          Effect.flatMap((found) => found.move(path, to)),
          Effect.as({ ok, path: to })
        ),
      delete: ({ query, payload: { path } }) =>
        own(query).pipe(
          Effect.flatMap((found) => found.remove(path)),
          Effect.map((undo) => ({ ok, path, undo }))
        ),
      trash: ({ query }) =>
        own(query).pipe(
          Effect.flatMap(({ trash }) => trash),
          Effect.map((entries) => ({ ok, isPermanent: entries === null, entries: entries ?? [] }))
        ),
      restore: ({ query, payload }) =>
        own(query).pipe(
          Effect.flatMap((found) => found.restore(payload.undo)),
          Effect.map((path) => ({ ok, path }))
        ),
      upload: ({ query, payload: { path, existing, file } }) =>
        own(query).pipe(
          Effect.flatMap((found) => found.upload(path ?? "", file.name, file.path, existing === "replace")),
          Effect.map((made) => ({ ok, ...made }))
        ),
      download: ({ query, request }) =>
        own(query).pipe(
          Effect.flatMap((found) => found.open(query.path)),
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
