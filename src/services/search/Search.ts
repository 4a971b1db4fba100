import { Context, Effect, type FileSystem, Layer, Path, Schema } from "effect"
import { failure } from "../../contract/failures.ts"
import { PRIMARY } from "../../contract/qualifiedKey.ts"
import type { SearchChoices, SearchIndex, SearchPage } from "../../contract/schema/search.ts"
import type { SearchKind, SearchRole } from "../../contract/search.ts"
import { Board } from "../board/Board.ts"
import { EveryGateway } from "../gateway/registry/EveryGateway.ts"
import { AgentLog } from "../knowledge/agentlog/AgentLog.ts"
import { AgentWorkspaces } from "../knowledge/agents/AgentWorkspaces.ts"
import { TextFiles } from "../knowledge/files/TextFiles.ts"
import { EventBus } from "../platform/events/EventBus.ts"
import { Settings } from "../platform/settings/Settings.ts"
import { makeJsonFile } from "../platform/storage/jsonFile.ts"
import type { StorageFailure } from "../platform/storage/StorageFailure.ts"
import type { StoreThreadError } from "../platform/thread/storeThread.ts"
import { transcriptFolders } from "../transcripts/transcriptFolders.ts"
import { hitOf } from "./hitOf.ts"
import { type IndexKeeper, makeIndexKeeper } from "./indexKeeper.ts"
import { pauseOf, unavailableText } from "./indexPause.ts"
import { parseQuery } from "./query/parseQuery.ts"
import { decodeCursor, encodeCursor } from "./query/searchCursor.ts"
import { makeSearchThread } from "./SearchThread.ts"
import { InvalidSearch, SearchUnavailable, UnknownSearchGateway } from "./searchErrors.ts"
import { conversation, type SearchOrder } from "./searchTypes.ts"
import { gatewayConversations } from "./sources/conversations.ts"
import { followChanges } from "./sources/followChanges.ts"
import { followConversations } from "./sources/followConversations.ts"
import { makeSources } from "./sources/makeSources.ts"

/** A search as it's asked for. */
export interface SearchQuery extends Omit<SearchOrder, "terms" | "cursor"> {
  /** Any text at all. */
  readonly q: string
  readonly kinds: ReadonlyArray<SearchKind>
  readonly roles: ReadonlyArray<SearchRole>
  readonly cursor: string | undefined
}

export interface SearchShape {
  /** One page of what was found. A deleted index is built again by this. */
  readonly search: (
    query: SearchQuery
  ) => Effect.Effect<SearchPage, InvalidSearch | UnknownSearchGateway | SearchUnavailable>
  readonly index: Effect.Effect<SearchIndex, SearchUnavailable | StorageFailure>
  readonly change: (choices: SearchChoices) => Effect.Effect<SearchIndex, SearchUnavailable | StorageFailure>
  /** Deletes the index and builds it anew. */
  readonly rebuild: Effect.Effect<SearchIndex, SearchUnavailable | StorageFailure>
  /** Deletes the index; the next search or the next start builds it again. */
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
      // The file is opened only when the keeper asks something of it.
      const thread = yield* makeSearchThread(file, keepsTools, (opened) => keeper.opened(opened))
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
      const keeper: IndexKeeper = yield* makeIndexKeeper(thread, sources)
      yield* followChanges({ bus: yield* EventBus, sources, keeper })
      yield* every.each((gateway) => {
        const own = conversations.get(gateway.id)
        return own === undefined ? Effect.void : followConversations(gateway, own, keeper)
      })
      yield* every.onRemoved((id) =>
        Effect.gen(function* () {
          if (keeper.isRemoved()) return
          for (const key of (yield* keeper.ask("conversations", id)).keys())
            yield* keeper.ask("forget", conversation(id, key))
        }).pipe(Effect.ignore({ log: "Warn" }))
      )

      const counts = Effect.suspend(() =>
        keeper.isRemoved() ? Effect.succeed({ messages: 0, documents: 0, bytes: 0 }) : keeper.answer("counts")
      ).pipe(
        Effect.catch((error) => {
          const paused = pauseOf(error)
          return paused === undefined ? Effect.fail(unavailable(error)) : Effect.succeed({ paused })
        })
      )
      const index = Effect.gen(function* () {
        const { toolOutput } = yield* choices.read
        const found = yield* counts
        return { ...(yield* keeper.state), ...found, toolOutput }
      })

      const search = Effect.fn("Search.search")(function* ({ q, cursor, ...query }: SearchQuery) {
        if (q.trim() === "") return yield* new InvalidSearch(failure("ENTER_A_WORD", { field: "q" }))
        if (query.gatewayId !== undefined && !conversations.has(query.gatewayId))
          return yield* new UnknownSearchGateway()
        const from = cursor === undefined ? undefined : decodeCursor(cursor)
        if (cursor !== undefined && from?.sort !== query.sort) {
          return yield* new InvalidSearch(failure("BAD_CURSOR", { field: "cursor" }))
        }
        yield* keeper.wake
        const found = yield* keeper
          .answer("search", { ...query, terms: parseQuery(q), cursor: from })
          .pipe(Effect.mapError(unavailable))
        const next = found.next === undefined ? {} : { cursor: encodeCursor(found.next) }
        return { hits: found.finds.map(hitOf), ...next, ...(yield* keeper.state) }
      })

      const change = Effect.fn("Search.change")(function* ({ toolOutput }: SearchChoices) {
        const before = yield* choices.read
        yield* choices.update(() => ({ toolOutput }))
        if (before.toolOutput === toolOutput) return yield* index
        yield* (toolOutput ? keeper.rebuild : keeper.dropTools).pipe(
          Effect.mapError(unavailable),
          // What's in the index is as it was, so that's what is chosen.
          Effect.tapError(() => Effect.ignore(choices.update(() => before)))
        )
        return yield* index
      })

      return Search.of({
        search,
        index,
        change,
        rebuild: Effect.andThen(Effect.mapError(keeper.rebuild, unavailable), index),
        remove: Effect.mapError(keeper.remove, unavailable)
      })
    })
  )
}
