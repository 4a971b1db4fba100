import { Effect, Stream } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { keyParts, PRIMARY } from "../../contract/qualifiedKey.ts"
import { textVersion } from "../../contract/textVersion.ts"
import { GatewayMedia, type MediaConditions, type OpenMedia } from "../../services/gateway/media/GatewayMedia.ts"
import { AgentLog } from "../../services/knowledge/agentlog/AgentLog.ts"
import { type AgentEntry, AgentWorkspaces } from "../../services/knowledge/agents/AgentWorkspaces.ts"
import { WorkspaceForbidden } from "../../services/knowledge/agents/Workspace.ts"
import { Documents } from "../../services/knowledge/documents/Documents.ts"
import { FileFinder } from "../../services/knowledge/files/FileFinder.ts"
import type { ShownFiles } from "../../services/knowledge/files/gatewayFiles.ts"
import { MAX_TREE_DEPTH, WorkspaceFiles } from "../../services/knowledge/files/WorkspaceFiles.ts"
import { GitInfo } from "../../services/knowledge/git/GitInfo.ts"
import { Images } from "../../services/knowledge/images/Images.ts"
import { TranscriptImages } from "../../services/knowledge/media/TranscriptImages.ts"
import { Memory, type MemoryAdded } from "../../services/knowledge/memory/Memory.ts"
import { type TextsOwner, WorkspaceTexts } from "../../services/knowledge/texts/WorkspaceTexts.ts"
import { Uploads } from "../../services/knowledge/uploads/Uploads.ts"
import { FileRefused } from "../../services/platform/storage/fileErrors.ts"
import { routeHandlers } from "../Api.ts"
import { gatewayService } from "../serviceErrors.ts"
import { TRUNCATED_HEADER } from "./files/FilesApi.ts"
import { attachment, fileResponse, mediaHeaders } from "./files/fileResponse.ts"

export const AgentsHandlers = routeHandlers(
  "agents",
  Effect.fn(function* (handlers) {
    const { list } = yield* AgentWorkspaces
    const { agentsOf } = yield* WorkspaceTexts
    /** The gateway alone knows about the folders of its agents. */
    const there = (gateway: string) =>
      Effect.map(agentsOf(gateway), (agents) =>
        agents.map(({ id, isDefault, name }): AgentEntry => ({ id, name, isDefault, workspace: "ready" }))
      )
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { gateway = PRIMARY } }) {
        return { ok: true as const, agents: gateway === PRIMARY ? yield* list : yield* there(gateway) }
      })
    })
  })
)

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

const brokenOff = new FileRefused({ message: "file: it broke off before all of it had arrived" })

export const UploadsHandlers = routeHandlers(
  "uploads",
  Effect.fn(function* (handlers) {
    const uploads = yield* Uploads
    return handlers.handleAll({
      add: ({ query: { name, ...owner }, payload }) =>
        uploads
          .add(
            owner,
            name,
            Stream.catchCause(payload, () => Stream.fail(brokenOff))
          )
          .pipe(Effect.map((made) => ({ ok, ...made })))
    })
  })
)

/** Destinations in which the browser doesn't run anything in a response. */
const EMBEDDED = new Set(["image", "empty"])

/**
 * Headers of an image. An SVG can contain scripts, so it's sandboxed, and downloaded instead of shown if it's opened as
 * a page. `destination` is the request's `Sec-Fetch-Dest`.
 */
const imageHeaders = (
  contentType: string,
  destination: string | undefined,
  disposition: string
): Readonly<Record<string, string>> => {
  const caching = { "cache-control": "private, max-age=3600, no-transform" }
  if (contentType !== "image/svg+xml") return caching
  const boxed = { ...caching, "content-security-policy": "sandbox", vary: "Sec-Fetch-Dest" }
  return destination === undefined || EMBEDDED.has(destination)
    ? boxed
    : { ...boxed, "content-disposition": disposition }
}

export const ImagesHandlers = routeHandlers(
  "images",
  Effect.fn(function* (handlers) {
    const images = yield* Images
    return handlers.handleAll({
      read: ({ query, request }) =>
        Effect.map(images.open(query.path, query.agent ?? "main"), ({ file, contentType }) =>
          fileResponse(
            file,
            request.headers,
            contentType,
            imageHeaders(contentType, request.headers["sec-fetch-dest"], attachment(file.name))
          )
        )
    })
  })
)

const conditionsOf = ({ headers }: HttpServerRequest.HttpServerRequest): MediaConditions => ({
  range: headers.range,
  ifRange: headers["if-range"],
  ifNoneMatch: headers["if-none-match"]
})

/** Passes on the gateway's response with the console's own headers. */
const answer = (request: HttpServerRequest.HttpServerRequest, media: OpenMedia) => {
  const { bytes, contentRange, contentType, etag, length, name, status } = media
  const facts = {
    ...(etag === undefined ? {} : { etag }),
    ...(contentRange === undefined ? {} : { "content-range": contentRange })
  }
  if (contentType === undefined) return HttpServerResponse.empty({ status, headers: facts })
  return HttpServerResponse.stream(bytes, {
    status,
    contentType,
    ...(length === undefined ? {} : { contentLength: length }),
    headers: {
      ...mediaHeaders(contentType, request.headers["sec-fetch-dest"], name ?? "file"),
      ...facts,
      "accept-ranges": "bytes"
    }
  })
}

export const MediaHandlers = routeHandlers(
  "media",
  Effect.fn(function* (handlers) {
    const of = yield* gatewayService
    const images = yield* TranscriptImages
    return handlers.handleAll({
      outgoing: ({ params: { session, id }, request }) => {
        const { gatewayId, key } = keyParts(session)
        return of(GatewayMedia, { gateway: gatewayId }).pipe(
          Effect.flatMap((media) => media.outgoing(key, id, conditionsOf(request))),
          Effect.map((found) => answer(request, found))
        )
      },
      inbound: ({ params: { name }, request }) => {
        const { gatewayId, key } = keyParts(name)
        return of(GatewayMedia, { gateway: gatewayId }).pipe(
          Effect.flatMap((media) => media.inbound(key, conditionsOf(request))),
          Effect.map((found) => answer(request, found))
        )
      },
      message: ({ params, request }) =>
        Effect.map(images.read(params), ({ contentType, data }) =>
          HttpServerResponse.uint8Array(data, {
            contentType,
            headers: mediaHeaders(contentType, request.headers["sec-fetch-dest"], "picture")
          })
        )
    })
  })
)

const addedBody = ({ written, section, storeFailure }: MemoryAdded) => {
  if (!written) return { written, section }
  if (storeFailure === undefined) return { written, section, vectorStore: "stored" as const }
  return { written, section, vectorStore: "failed" as const, details: storeFailure }
}

export const MemoryHandlers = routeHandlers(
  "memory",
  Effect.fn(function* (handlers) {
    const memory = yield* Memory
    return handlers.handleAll({
      list: ({ query }) => Effect.flatMap(memory.of(query), ({ list }) => list),
      section: ({ query }) =>
        memory.of(query).pipe(
          Effect.flatMap((own) => own.readSection(query.title, query.date)),
          Effect.map((content) => ({ ok, content, version: textVersion(content) }))
        ),
      add: ({ query, payload }) =>
        memory.of(query).pipe(
          Effect.flatMap((own) => own.add(payload)),
          Effect.map((added) => ({ ok, result: addedBody(added) }))
        ),
      replaceSection: ({ query, payload }) =>
        memory.of(query).pipe(
          Effect.flatMap((own) => own.replaceSection(payload)),
          Effect.map((version) => ({ ok, ...payload, version }))
        ),
      remove: ({ query, payload }) =>
        memory.of(query).pipe(
          Effect.flatMap((own) => own.remove(payload)),
          Effect.map((result) => ({ ok, result }))
        )
    })
  })
)

export const DocumentsHandlers = routeHandlers(
  "documents",
  Effect.fn(function* (handlers) {
    const documents = yield* Documents
    return handlers.handleAll({
      list: ({ query }) =>
        documents.of(query).pipe(
          Effect.flatMap(({ list }) => list),
          Effect.map((files) => ({ ok, files }))
        ),
      read: ({ params, query }) =>
        documents.of(query).pipe(
          Effect.flatMap((own) => own.read(params.key)),
          Effect.map((content) => ({ ok, content, version: textVersion(content) }))
        ),
      write: ({ params: { key }, query, payload: { content, version } }) =>
        documents.of(query).pipe(
          Effect.flatMap((own) => own.write(key, content, version)),
          Effect.as({ ok, key, content, version: textVersion(content) })
        )
    })
  })
)

export const GitHandlers = routeHandlers(
  "git",
  Effect.fn(function* (handlers) {
    const git = yield* GitInfo
    return handlers.handleAll({
      state: ({ query }) => git.state(query.sessionKey),
      register: ({ payload: { sessionKey, workdir } }) => Effect.as(git.register(sessionKey, workdir), { ok }),
      unregister: ({ payload: { sessionKey } }) => Effect.as(git.unregister(sessionKey), { ok })
    })
  })
)

export const AgentLogHandlers = routeHandlers(
  "agentlog",
  Effect.fn(function* (handlers) {
    const log = yield* AgentLog
    return handlers.handleAll({
      list: () => log.list,
      append: ({ payload }) => Effect.map(log.append(payload), (entry) => ({ ok: true as const, entry }))
    })
  })
)
