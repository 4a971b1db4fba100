import { crc32 } from "node:zlib"
import { Clock, Effect, type FileSystem, Option, type Path } from "effect"
import { MAX_TASKS_PER_PAGE } from "../../../contract/board.ts"
import type { TaskComment } from "../../../contract/schema/comment.ts"
import type { AgentLogEntry } from "../../../contract/schema/knowledge.ts"
import type { Task } from "../../../contract/schema/task.ts"
import type { BoardShape } from "../../board/BoardShape.ts"
import type { AgentLogShape } from "../../knowledge/agentlog/AgentLog.ts"
import type { AgentWorkspacesShape } from "../../knowledge/agents/AgentWorkspaces.ts"
import { defaultWorkspace } from "../../knowledge/agents/Workspace.ts"
import type { TextFilesShape } from "../../knowledge/files/TextFiles.ts"
import type { SettingsShape } from "../../platform/settings/Settings.ts"
import { transcriptFolders } from "../../transcripts/transcriptFolders.ts"
import type { AskSearch } from "../SearchThread.ts"
import type { SearchEntry, SearchPlace } from "../searchTypes.ts"
import type { Conversations } from "./histories.ts"
import { makeKnowledgeSync } from "./knowledgeFiles.ts"
import { syncWhole } from "./syncEntries.ts"

/** Changes with the form of a card's text, so that all cards are read again. */
const FORM = "labels with #"

/** The place of all cards. */
export const cardPlace = (gatewayId: string): SearchPlace => ({ kind: "task", gatewayId, name: "", agent: "" })

/** The entry of a card with all its texts. */
const cardEntry = (gatewayId: string, task: Task, comments: ReadonlyArray<TaskComment>): SearchEntry => ({
  place: cardPlace(gatewayId),
  key: task.id,
  at: task.updatedAt,
  role: undefined,
  text: [
    task.title,
    task.description ?? "",
    task.labels.map((label) => `#${label}`).join(" "),
    task.result ?? "",
    task.run?.error ?? "",
    ...(task.checklist ?? []).map(({ text }) => text),
    ...task.feedback.map(({ note }) => note),
    ...comments.map(({ text }) => text)
  ]
    .filter((text) => text !== "")
    .join("\n"),
  stamp: `${FORM} ${task.version} ${task.updatedAt}`
})

/** The place of the agent log's entries. */
const logPlace = (gatewayId: string): SearchPlace => ({ kind: "log", gatewayId, name: "", agent: "" })

/** An entry of the agent log; it has no id, so its key is its time and a checksum. */
const logEntry = (gatewayId: string, { ts, type, level, message, data }: AgentLogEntry): SearchEntry => {
  const words = [message, type, level, data === undefined ? undefined : JSON.stringify(data)]
  const text = words.filter((word) => word !== undefined && word !== "").join("\n")
  return { place: logPlace(gatewayId), key: `${ts} ${crc32(text)}`, at: ts, role: undefined, text, stamp: "" }
}

interface SourcesOptions {
  readonly settings: SettingsShape
  /** The gateway id of this machine's files and of the console's entries. */
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

/** All sources of entries, of which only changes are read. */
export const makeSources = Effect.fnUntraced(function* (options: SourcesOptions) {
  const { settings, gatewayId, conversations, board, log, workspaces, files } = options
  const syncKnowledge = yield* makeKnowledgeSync(files, gatewayId)
  const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  const folders = transcriptFolders(settings).pipe(Effect.provideContext(platform))

  const card = (task: Task) =>
    Effect.map(
      task.commentCount === undefined
        ? Effect.succeed([])
        : // The card was deleted meanwhile.
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

  /** An agent's memory and documents; the default agent has no name. Entries stay if the workspace is unavailable. */
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
    // Sequentially, because one thread stores their entries anyway.
    for (const [index, one] of all.entries())
      yield* one.read(ask, (progress) => onProgress((index + progress) / all.length))
  })

  return {
    gatewayId,
    card,
    cards,
    logEntries,
    knowledge,
    /** Reads all changes; those of cards and the log, which have events, only in a whole pass. */
    read: Effect.fn("Search.read")(function* (ask: AskSearch, { isWhole, onProgress }: LookOptions) {
      if (isWhole) {
        yield* cards(ask).pipe(
          // A board that can't be reached doesn't stop the pass; its cards stay as they were.
          Effect.catchIf(
            (error) => error._tag === "StoreError" && error.reason === "unavailable",
            () => Effect.void
          )
        )
        yield* logEntries(ask)
      }
      yield* allKnowledge(ask)
      const parts = { files: 0, histories: 0 }
      const reportProgress = () => onProgress((parts.files + parts.histories) / 2)
      const ofFiles = transcripts(ask, (progress) => {
        parts.files = progress
        reportProgress()
      })
      const ofHistories = histories(ask, (progress) => {
        parts.histories = progress
        reportProgress()
      })
      yield* Effect.all([ofFiles, ofHistories], { concurrency: 2, discard: true })
    })
  }
})

export type Sources = Effect.Success<ReturnType<typeof makeSources>>
