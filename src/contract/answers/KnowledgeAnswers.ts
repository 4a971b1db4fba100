import type { Done } from "./AccessAnswers.ts"

/** An agent of the gateway, and how its workspace is. */
export interface Agent {
  readonly id: string
  readonly name: string
  readonly isDefault: boolean
  /** `new`: the first save makes the folder. */
  readonly workspace: "ready" | "new" | "unavailable"
  /** Why the workspace is not available. */
  readonly details?: string
}

interface MemoryLine {
  readonly text: string
  /** Its file isn't all UTF-8: it's shown as far as it can be read, and takes no changes. */
  readonly damaged?: true
}

interface LongTermEntry extends MemoryLine {
  readonly type: "section" | "item"
}

interface DailyEntry extends MemoryLine {
  readonly type: "daily"
  readonly date: string
}

/** A line of the memory: a section or bullet of the long-term file, or a heading of a day. */
export type MemoryEntry = LongTermEntry | DailyEntry

/** A text, and the version that stands for it. */
export interface VersionedText extends Done {
  readonly content: string
  readonly version: string
}

/** What became of a bullet that was added. */
export interface MemoryAdded {
  readonly written: boolean
  readonly section: string
  readonly vectorStore?: "stored" | "failed"
  /** Why the vector store does not have it. */
  readonly details?: string
}

export type DocumentKey = "soul" | "tools" | "identity" | "user" | "agents" | "heartbeat"

/** One of the six documents of a workspace. */
export interface DocumentEntry {
  readonly key: DocumentKey
  readonly filename: string
  readonly exists: boolean
}

/** A file or folder of the workspace. */
export interface FileNode {
  readonly name: string
  /** Relative to the root, with slashes. */
  readonly path: string
  readonly type: "file" | "directory"
  /** Of folders, as far as they were read: without it the folder has not been looked into. */
  readonly children?: ReadonlyArray<FileNode>
  /** The folder holds more than is shown. */
  readonly truncated?: true
  /** Why it can't be read or changed from here; absent otherwise. */
  readonly unusable?: string
}

/** Most nodes in one answer; beyond them folders are left for a request of their own. */
export const MAX_TREE_NODES = 20_000

/** A file or folder whose path has what was looked for. */
export interface FoundPath {
  /** Relative to the agent's workspace, with slashes. */
  readonly path: string
  readonly type: "file" | "directory"
}

/** Largest uploaded file, in bytes. */
export const MAX_UPLOAD_BYTES = 12 * 1024 * 1024

/** Something in the trash. */
export interface TrashEntry {
  readonly undo: string
  /** Where it was, relative to the root. */
  readonly path: string
  /** Epoch milliseconds. */
  readonly deletedAt: number
}

/** Where something is after a change. */
export interface ChangedPath extends Done {
  readonly path: string
}

/** Something an agent reported of itself; `ts` is the server's time in epoch milliseconds. */
export interface AgentLogEntry {
  readonly ts: number
  readonly type?: string
  readonly message?: string
  readonly level?: string
  readonly data?: { readonly [key: string]: unknown }
}

/** Entries of the log that are kept; the oldest go first. */
export const MAX_LOG_ENTRIES = 200

/** What agents know and what is in their workspaces. */
export interface KnowledgeAnswers {
  readonly "GET /api/agents": Done & { readonly agents: ReadonlyArray<Agent> }
  readonly "GET /api/memories": ReadonlyArray<MemoryEntry>
  readonly "GET /api/memories/section": VersionedText
  readonly "POST /api/memories": Done & { readonly result: MemoryAdded }
  readonly "PUT /api/memories/section": VersionedText & { readonly title: string; readonly date?: string }
  readonly "DELETE /api/memories": Done & {
    readonly result: {
      readonly deleted: number
      readonly source: string
      readonly file: string
      readonly type: string
    }
  }
  readonly "GET /api/workspace": Done & { readonly files: ReadonlyArray<DocumentEntry> }
  readonly "GET /api/workspace/:key": VersionedText
  readonly "PUT /api/workspace/:key": VersionedText & { readonly key: DocumentKey }
  readonly "GET /api/files/tree": ReadonlyArray<FileNode>
  readonly "GET /api/files/find": { readonly entries: ReadonlyArray<FoundPath>; readonly isCut: boolean }
  readonly "GET /api/files/read": { readonly content: string; readonly mtime: number }
  readonly "POST /api/files/write": Done & { readonly mtime: number }
  readonly "POST /api/files/mkdir": ChangedPath
  readonly "POST /api/files/rename": ChangedPath
  readonly "POST /api/files/move": ChangedPath
  readonly "POST /api/files/delete": ChangedPath & { readonly undo: string | null }
  readonly "GET /api/files/trash": Done & {
    readonly isPermanent: boolean
    readonly entries: ReadonlyArray<TrashEntry>
  }
  readonly "POST /api/files/restore": ChangedPath
  readonly "POST /api/files/upload": ChangedPath & { readonly mtime: number }
  readonly "GET /api/git-info": { readonly branch: string | null; readonly dirty: boolean }
  readonly "POST /api/git-info/workdir": Done
  readonly "DELETE /api/git-info/workdir": Done
  readonly "GET /api/agentlog": ReadonlyArray<AgentLogEntry>
  readonly "POST /api/agentlog": Done & { readonly entry: AgentLogEntry }
}
