import { Cache, Context, Effect, Layer, Stream } from "effect"
import { PRIMARY } from "../../../contract/qualifiedKey.ts"
import type { FileNode, FoundPaths } from "../../../contract/schema/files.ts"
import type { UnknownGateway } from "../../gateway/registry/gatewayEntry.ts"
import { EventBus } from "../../platform/events/EventBus.ts"
import type { FileError } from "../../platform/storage/fileErrors.ts"
import { AgentWorkspaces, type WorkspaceError } from "../agents/AgentWorkspaces.ts"
import { type TextsOwner, WorkspaceTexts } from "../texts/WorkspaceTexts.ts"
import { readFileTree } from "./fileTree.ts"
import { makeGuardedRoot } from "./GuardedRoot.ts"
import { type IndexedPath, indexedPath, rankPaths } from "./rankPaths.ts"

/** Most paths in one answer. */
export const MAX_FOUND = 200
const MAX_DEPTH = 64
/** The number of agents whose paths are cached. */
const CAPACITY = 8
/** The lifetime of cached paths, because agents also change files in folders that aren't watched. */
const FRESH = "10 seconds"

export interface FileFinderShape {
  /**
   * Finds the files and folders of an agent's workspace with these letters in their paths, best first. For an agent of
   * an added gateway, it searches only the folder at the beginning of the letters.
   */
  readonly find: (
    owner: TextsOwner,
    query: string,
    limit: number
  ) => Effect.Effect<FoundPaths, WorkspaceError | UnknownGateway | FileError>
}

const flat = (nodes: ReadonlyArray<FileNode>): ReadonlyArray<IndexedPath> =>
  nodes.flatMap((node) => (node.unusable === undefined ? [indexedPath(node), ...flat(node.children ?? [])] : []))

const NOTHING: FoundPaths = { entries: [], isCut: false }

/** Finds files by their paths, among at most 20,000 and without the folders that the file browser hides. */
export class FileFinder extends Context.Service<FileFinder, FileFinderShape>()(
  "agent-console/services/knowledge/files/FileFinder"
) {
  static readonly layer = Layer.effect(
    FileFinder,
    Effect.gen(function* () {
      const workspaces = yield* AgentWorkspaces
      const texts = yield* WorkspaceTexts
      const bus = yield* EventBus

      const paths = yield* Cache.make({
        capacity: CAPACITY,
        timeToLive: FRESH,
        lookup: (root: string) =>
          Effect.map(readFileTree(makeGuardedRoot(root), [], { depth: MAX_DEPTH, excluding: true }), ({ nodes }) =>
            flat(nodes)
          )
      })
      yield* Stream.fromSubscription(yield* bus.subscribe).pipe(
        Stream.filter(({ event }) => event === "file.changed"),
        Stream.runForEach(() => Cache.invalidateAll(paths)),
        Effect.forkScoped
      )

      const here = Effect.fnUntraced(function* (agent: string | undefined, query: string, limit: number) {
        const { root } = yield* workspaces.of(agent)
        return rankPaths(yield* Cache.get(paths, root), query, limit)
      })

      const there = Effect.fnUntraced(function* (
        owner: TextsOwner & { readonly gateway: string },
        query: string,
        limit: number
      ) {
        const files = yield* texts.filesOf(owner)
        const { nodes } = yield* files.tree(query.slice(0, Math.max(0, query.lastIndexOf("/"))), 1)
        return rankPaths(nodes.map(indexedPath), query, limit)
      })

      return FileFinder.of({
        find: Effect.fn("FileFinder.find")(
          ({ agent, gateway = PRIMARY }: TextsOwner, query: string, limit: number) =>
            gateway === PRIMARY
              ? here(agent, query, limit)
              : there({ ...(agent === undefined ? {} : { agent }), gateway }, query, limit),
          Effect.catchTag("FileMissing", () => Effect.succeed(NOTHING))
        )
      })
    })
  )
}
