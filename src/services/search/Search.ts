import { Context, Effect, type FileSystem, Layer, Path, Schema } from "effect"
import { failure } from "../../contract/failures.ts"
import { PRIMARY } from "../../contract/qualifiedKey.ts"
import type { SearchChoices, SearchHit, SearchIndex, SearchPage } from "../../contract/schema/search.ts"
import type { SearchKind, SearchRole } from "../../contract/search.ts"
import { Board } from "../board/Board.ts"
import { EveryGateway } from "../gateway/registry/EveryGateway.ts"
import { AgentLog } from "../knowledge/agentlog/AgentLog.ts"
import { AgentWorkspaces } from "../knowledge/agents/AgentWorkspaces.ts"
import { TextFiles } from "../knowledge/files/TextFiles.ts"
import { EventBus } from "../platform/events/EventBus.ts"
import { Settings } from "../platform/settings/Settings.ts"
import type { StorageFailure } from "../platform/storage/fileErrors.ts"
import { makeJsonFile } from "../platform/storage/jsonFile.ts"
import type { StoreThreadError } from "../platform/thread/storeThread.ts"
import { transcriptFolders } from "../transcripts/transcriptFolders.ts"
import { type IndexUpdater, makeIndexUpdater } from "./indexUpdater.ts"
import { parseQuery } from "./query/parseQuery.ts"
import { makeSearchThread } from "./SearchThread.ts"
import { InvalidSearch, pauseOf, SearchUnavailable, UnknownSearchGateway, unavailableText } from "./searchErrors.ts"
import { conversation, decodeCursor, encodeCursor, type SearchFind, type SearchOrder, UNLISTED } from "./searchTypes.ts"
import { followChanges } from "./sources/followChanges.ts"
import { followConversations } from "./sources/followConversations.ts"
import { gatewayConversations } from "./sources/histories.ts"
import { makeSources } from "./sources/makeSources.ts"

const conversationOf = ({ key, place: { name }, role, title }: SearchFind) => ({
  ...(name.startsWith(UNLISTED) ? {} : { sessionKey: name }),
  ...(title === undefined ? {} : { sessionTitle: title }),
  messageId: key,
  ...(role === undefined ? {} : { role })
})

const detailsOf = (find: SearchFind) => {
  const { key, place } = find
  switch (place.kind) {
    case "message":
      return conversationOf(find)
    case "task":
      return { taskId: key, ...(find.heading === undefined ? {} : { title: find.heading }) }
    case "memory":
    case "document":
      return { path: key, ...(place.name === "" ? {} : { agent: place.name }) }
    case "log":
      return {}
  }
}

/** A find as a hit in the response. */
const hitOf = (find: SearchFind): SearchHit => ({
  kind: find.place.kind,
  gatewayId: find.place.gatewayId,
  ...detailsOf(find),
  at: find.at,
  snippet: find.snippet
})

/** The parameters of a search. */
interface SearchQuery extends Omit<SearchOrder, "terms" | "cursor"> {
  /** Any text. */
  readonly q: string
  readonly kinds: ReadonlyArray<SearchKind>
  readonly roles: ReadonlyArray<SearchRole>
  readonly cursor: string | undefined
}

export interface SearchShape {
  /** One page of hits. Rebuilds a deleted index. */
  readonly search: (
    query: SearchQuery
  ) => Effect.Effect<SearchPage, InvalidSearch | UnknownSearchGateway | SearchUnavailable>
  readonly index: Effect.Effect<SearchIndex, SearchUnavailable | StorageFailure>
  readonly change: (choices: SearchChoices) => Effect.Effect<SearchIndex, SearchUnavailable | StorageFailure>
  /** Deletes and rebuilds the index. */
  readonly rebuild: Effect.Effect<SearchIndex, SearchUnavailable | StorageFailure>
  /** Deletes the index; the next search or start rebuilds it. */
  readonly remove: Effect.Effect<void, SearchUnavailable>
}

const Choices = Schema.Struct({ toolOutput: Schema.Boolean })

const unavailable = (error: StoreThreadError) => new SearchUnavailable({ message: unavailableText(error) })

/** Finds words in conversations, cards, memory, documents and the agent log. */
export class Search extends Context.Service<Search, SearchShape>()("agent-console/services/search/Search") {
  static readonly layer = Layer.effect(
    Search,
    Effect.gen(function* () {
      const settings = yield* Settings
      const paths = yield* Path.Path
      const every = yield* EveryGateway
      const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
      const file = paths.join(settings.svcHome, "search.db")
      const choices = yield* makeJsonFile({
        path: paths.join(settings.svcHome, "search.json"),
        what: "the search's settings (search.json)",
        schema: Choices,
        empty: { toolOutput: true }
      })
      const keepsTools = choices.read.pipe(
        Effect.map(({ toolOutput }) => toolOutput),
        Effect.orElseSucceed(() => true)
      )
      // The file is opened at the updater's first request.
      const thread = yield* makeSearchThread(file, keepsTools, (opened) => updater.opened(opened))
      const isOnDisk = transcriptFolders(settings).pipe(
        Effect.provideContext(platform),
        Effect.map(({ length }) => length > 0)
      )
      const conversations = yield* every.each((gateway) =>
        Effect.succeed(gatewayConversations(gateway, gateway.id === PRIMARY ? isOnDisk : Effect.succeed(false)))
      )
      const sources = yield* makeSources({
        settings,
        gatewayId: PRIMARY,
        conversations,
        board: yield* Board,
        log: yield* AgentLog,
        workspaces: yield* AgentWorkspaces,
        files: yield* TextFiles
      }).pipe(Effect.provideContext(platform))
      const updater: IndexUpdater = yield* makeIndexUpdater(thread, sources)
      yield* followChanges({ bus: yield* EventBus, sources, updater })
      yield* every.each((gateway) => {
        const found = conversations.get(gateway.id)
        return found === undefined ? Effect.void : followConversations(gateway, found, updater)
      })
      yield* every.onRemoved((id) =>
        Effect.gen(function* () {
          if (updater.isRemoved()) return
          for (const key of (yield* updater.ask("conversations", id)).keys())
            yield* updater.ask("forget", conversation(id, key))
        }).pipe(Effect.ignore({ log: "Warn" }))
      )

      const counts = Effect.suspend(() =>
        updater.isRemoved() ? Effect.succeed({ messages: 0, documents: 0, bytes: 0 }) : updater.answer("counts")
      ).pipe(
        Effect.catch((error) => {
          const paused = pauseOf(error)
          return paused === undefined ? Effect.fail(unavailable(error)) : Effect.succeed({ paused })
        })
      )
      const index = Effect.gen(function* () {
        const { toolOutput } = yield* choices.read
        const found = yield* counts
        return { ...(yield* updater.state), ...found, toolOutput }
      })

      const search = Effect.fn("Search.search")(function* ({ q, cursor, ...query }: SearchQuery) {
        if (q.trim() === "") return yield* new InvalidSearch(failure("ENTER_A_WORD", { field: "q" }))
        if (query.gatewayId !== undefined && !conversations.has(query.gatewayId))
          return yield* new UnknownSearchGateway()
        const from = cursor === undefined ? undefined : decodeCursor(cursor)
        if (cursor !== undefined && from?.sort !== query.sort) {
          return yield* new InvalidSearch(failure("BAD_CURSOR", { field: "cursor" }))
        }
        yield* updater.wake
        const found = yield* updater
          .answer("search", { ...query, terms: parseQuery(q), cursor: from })
          .pipe(Effect.mapError(unavailable))
        const next = found.next === undefined ? {} : { cursor: encodeCursor(found.next) }
        const nearest = found.nearest === undefined || found.nearest.length === 0 ? {} : { nearest: found.nearest }
        return { hits: found.finds.map(hitOf), ...next, ...nearest, ...(yield* updater.state) }
      })

      const change = Effect.fn("Search.change")(function* ({ toolOutput }: SearchChoices) {
        const before = yield* choices.read
        yield* choices.update(() => ({ toolOutput }))
        if (before.toolOutput === toolOutput) return yield* index
        yield* (toolOutput ? updater.rebuild : updater.dropTools).pipe(
          Effect.mapError(unavailable),
          // The index hasn't changed, so neither does the setting.
          Effect.tapError(() => Effect.ignore(choices.update(() => before)))
        )
        return yield* index
      })

      return Search.of({
        search,
        index,
        change,
        rebuild: Effect.andThen(Effect.mapError(updater.rebuild, unavailable), index),
        remove: Effect.mapError(updater.remove, unavailable)
      })
    })
  )
}
