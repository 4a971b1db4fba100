import { crc32 } from "node:zlib"
import { Clock, Effect, type FileSystem, Option, type Path } from "effect"
import { MAX_TASKS_PER_PAGE } from "../../../contract/board.ts"
import type { AgentLogEntry } from "../../../contract/schema/knowledge.ts"
import type { Task } from "../../../contract/schema/task.ts"
import type { BoardShape } from "../../board/Board.ts"
import type { AgentLogShape } from "../../knowledge/agentlog/AgentLog.ts"
import type { AgentWorkspacesShape } from "../../knowledge/agents/AgentWorkspaces.ts"
import { defaultWorkspace } from "../../knowledge/agents/Workspace.ts"
import type { TextFilesShape } from "../../knowledge/files/TextFiles.ts"
import type { SettingsShape } from "../../platform/settings/Settings.ts"
import { transcriptFolders } from "../../transcripts/transcriptFolders.ts"
import type { AskSearch } from "../SearchThread.ts"
import type { SearchEntry, SearchPlace } from "../searchTypes.ts"
import { cardEntry, cardPlace } from "./boardEntries.ts"
import type { Conversations } from "./conversations.ts"
import { makeKnowledgeSync } from "./knowledgeFiles.ts"
import { syncWhole } from "./syncEntries.ts"

/** Where all entries of the agent log are. */
const logPlace = (gatewayId: string): SearchPlace => ({ kind: "log", gatewayId, name: "", agent: "" })

/** An entry of the agent log; it has no id, so it's known by its time and contents. */
const logEntry = (gatewayId: string, { ts, type, level, message, data }: AgentLogEntry): SearchEntry => {
  const words = [message, type, level, data === undefined ? undefined : JSON.stringify(data)]
  const text = words.filter((word) => word !== undefined && word !== "").join("\n")
  return { place: logPlace(gatewayId), key: `${ts} ${crc32(text)}`, at: ts, role: undefined, text, stamp: "" }
}

interface SourcesOptions {
  readonly settings: SettingsShape
  /** Of the files on this machine, and of what isn't any gateway's. */
  readonly gatewayId: string
  readonly conversations: ReadonlyMap<string, Conversations>
  readonly board: BoardShape
  readonly log: AgentLogShape
  readonly workspaces: AgentWorkspacesShape
  readonly files: TextFilesShape
}

interface LookOptions {
  readonly isWhole: boolean
  readonly onProgress: (progress: number) => void
}

/** Everything that can be found, read as far as it has changed. */
export const makeSources = Effect.fnUntraced(function* (options: SourcesOptions) {
  const { settings, gatewayId, conversations, board, log, workspaces, files } = options
  const syncKnowledge = yield* makeKnowledgeSync(files, gatewayId)
  const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  const folders = transcriptFolders(settings).pipe(Effect.provideContext(platform))

  const card = (task: Task) =>
    Effect.map(
      task.commentCount === undefined
        ? Effect.succeed([])
        : // One that was deleted meanwhile has nothing to find.
          Effect.catchTag(board.comments(task.id), "TaskNotFound", () => Effect.succeed([])),
      (comments) => cardEntry(gatewayId, task, comments)
    )

  const cards = Effect.fnUntraced(function* (ask: AskSearch) {
    const entries: Array<SearchEntry> = []
    for (let hasMore = true; hasMore; ) {
      const page = yield* board.list({
        statuses: [],
        priorities: [],
        limit: MAX_TASKS_PER_PAGE,
        offset: entries.length
      })
      for (const task of page.items) entries.push(yield* card(task))
      hasMore = page.hasMore && page.items.length > 0
    }
    yield* syncWhole(ask, cardPlace(gatewayId), entries)
  })

  const logEntries = Effect.fnUntraced(function* (ask: AskSearch) {
    const entries = yield* log.list
    yield* syncWhole(
      ask,
      logPlace(gatewayId),
      entries.map((entry) => logEntry(gatewayId, entry))
    )
  })

  /** An agent's memory and documents; the default agent has no name. One that has none now keeps what was found. */
  const knowledge = (ask: AskSearch, agent: string | undefined) =>
    workspaces
      .of(agent)
      .pipe(
        Effect.option,
        Effect.flatMap(
          Option.match({ onNone: () => Effect.void, onSome: (workspace) => syncKnowledge(ask, workspace) })
        )
      )

  const allKnowledge = Effect.fnUntraced(function* (ask: AskSearch) {
    yield* syncKnowledge(ask, defaultWorkspace(settings))
    const agents = yield* workspaces.list.pipe(Effect.orElseSucceed(() => []))
    for (const { id, isDefault, workspace } of agents) {
      if (!isDefault && workspace === "ready") yield* knowledge(ask, id)
    }
  })

  const transcripts = Effect.fnUntraced(function* (ask: AskSearch, onProgress: (progress: number) => void) {
    yield* ask("beginScan", gatewayId, yield* folders)
    for (;;) {
      const { isDone, progress } = yield* ask("scan", yield* Clock.currentTimeMillis)
      onProgress(progress)
      if (isDone) return
    }
  })

  const histories = Effect.fnUntraced(function* (ask: AskSearch, onProgress: (progress: number) => void) {
    const all = [...conversations.values()]
    // One after the other: what they read goes through one thread anyway.
    for (const [index, one] of all.entries())
      yield* one.read(ask, (progress) => onProgress((index + progress) / all.length))
  })

  return {
    gatewayId,
    card,
    cards,
    logEntries,
    knowledge,
    /** Reads everything as far as it has changed; cards and the log, whose changes are told, only if it's to be whole. */
    read: Effect.fn("Search.read")(function* (ask: AskSearch, { isWhole, onProgress }: LookOptions) {
      if (isWhole) {
        yield* cards(ask).pipe(
          // A board that can't be reached holds up nothing else; its cards are found as they were.
          Effect.catchIf(
            (error) => error._tag === "StoreError" && error.reason === "unavailable",
            () => Effect.void
          )
        )
        yield* logEntries(ask)
      }
      yield* allKnowledge(ask)
      const parts = { files: 0, histories: 0 }
      const told = () => onProgress((parts.files + parts.histories) / 2)
      const ofFiles = transcripts(ask, (progress) => {
        parts.files = progress
        told()
      })
      const ofHistories = histories(ask, (progress) => {
        parts.histories = progress
        told()
      })
      yield* Effect.all([ofFiles, ofHistories], { concurrency: 2, discard: true })
    })
  }
})

export type Sources = Effect.Success<ReturnType<typeof makeSources>>
