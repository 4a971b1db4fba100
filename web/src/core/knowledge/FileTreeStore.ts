import { MAX_TREE_NODES } from "../../../../src/contract/limits.ts"
import type {
  ChangedPath,
  DeletedPath,
  FileNode,
  TrashEntry,
  TrashList
} from "../../../../src/contract/schema/files.ts"
import { createObservable, type Readable } from "../common/Observable.ts"
import type { ApiClient, ApiResult, EventStream } from "../link/apiTypes.ts"
import { findNode, foldersTo, movedPath, withChildren } from "./fileNodes.ts"
import { fileSource, pathQuery } from "./fileSource.ts"

export interface FileTreeState {
  readonly status: "loading" | "ready" | "failed"
  /** Why the tree couldn't be loaded. */
  readonly message: string | null
  readonly nodes: ReadonlyArray<FileNode>
  /** Paths of the open folders. */
  readonly open: ReadonlySet<string>
}

/** A file that this page moved from one path to another, or deleted (`to` is null). */
export interface FileMove {
  readonly from: string
  readonly to: string | null
}

/** Minimum time between two reads of the tree caused by events, in milliseconds. */
const READ_EVERY = 2_500

const countNodes = (nodes: ReadonlyArray<FileNode>): number =>
  nodes.reduce((sum, node) => sum + 1 + countNodes(node.children ?? []), 0)

const changedPath = ({ path }: ChangedPath): string => path
const nodesOf = (nodes: ReadonlyArray<FileNode>) => nodes

export interface FileTreeStore {
  readonly state: Readable<FileTreeState>
  /** Reports files that this page moved or deleted. */
  onMove(listener: (move: FileMove) => void): () => void
  /** Whether deletes are permanent, as far as is known: assumed until the server says otherwise. */
  readonly isPermanent: boolean
  /** Whether the server left out files because there are too many. */
  readonly isCut: boolean
  /** Reads the whole tree. */
  load(): Promise<void>
  /** Opens or closes a folder; a folder not loaded yet is loaded first. */
  toggle(path: string, open?: boolean): Promise<ApiResult<true>>
  /** Opens every folder on the way to a file. */
  reveal(path: string): void
  closeAll(): void
  createFile(path: string): Promise<ApiResult<string>>
  createFolder(path: string): Promise<ApiResult<string>>
  rename(path: string, name: string): Promise<ApiResult<string>>
  move(path: string, to: string): Promise<ApiResult<string>>
  /** Deletes; returns the id for undoing it, null if deletes are permanent. */
  remove(path: string): Promise<ApiResult<{ readonly undo: string | null }>>
  /** Undoes a deletion; returns the path. */
  restore(undo: string): Promise<ApiResult<string>>
  /** What can be restored; also determines whether deletes are permanent. */
  trash(): Promise<ApiResult<ReadonlyArray<TrashEntry>>>
  /** Reads the tree, and again whenever it changes, until the returned function is called. */
  watch(): () => void
  /** Something changed; if someone is looking at the tree, it is read soon, but not too often. */
  readSoon(): void
}

/** The workspace's files and folders, and what can be done with them. Follows others' changes. */
export function createFileTreeStore(api: ApiClient, events: EventStream): FileTreeStore {
  const state = createObservable<FileTreeState>({ status: "loading", message: null, nodes: [], open: new Set() })
  let isForGood = true
  const moveListeners = new Set<(move: FileMove) => void>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let reading = 0
  let watchers = 0

  async function load(): Promise<void> {
    const generation = ++reading
    clearTimeout(timer)
    timer = undefined
    if (state.get().status === "failed") publish({ status: "loading", message: null })
    const result = await api.request("GET", "/api/files/tree", nodesOf)
    readAt = Date.now()
    if (generation !== reading) return
    if (result.ok) publish({ status: "ready", message: null, nodes: keepingLooked(result.value) })
    else if (state.get().status === "ready") {
      if (result.error.retryAfterMs !== null) timer = setTimeout(() => load(), result.error.retryAfterMs)
    } else publish({ status: "failed", message: result.error.message })
  }

  function readSoon(): void {
    if (watchers === 0) return
    if (state.get().status === "loading" || timer !== undefined) return
    const wait = Math.max(150, readAt + READ_EVERY - Date.now())
    timer = setTimeout(() => load(), wait)
  }

  function moved(from: string, to: string): string {
    const { open } = state.get()
    publish({ open: new Set([...open].map((path) => movedPath(path, from, to))) })
    for (const listener of moveListeners) listener({ from, to })
    return to
  }

  const post = (action: string, body: object): Promise<ApiResult<string>> =>
    api.request("POST", `/api/files/${action}`, changedPath, { body })

  /** Reads the tree again after a successful change. */
  async function changing<A, B>(change: Promise<ApiResult<A>>, then: (value: A) => B): Promise<ApiResult<B>> {
    const result = await change
    if (!result.ok) return result
    const value = then(result.value)
    await load()
    return { ok: true, value }
  }

  async function look(path: string): Promise<ApiResult<true>> {
    const result = await api.request("GET", `/api/files/tree?${pathQuery(path)}&depth=1`, nodesOf)
    if (!result.ok) return result
    publish({ nodes: withChildren(state.get().nodes, path, result.value) })
    return done
  }

  /** Folders missing from one response keep what was seen of them. */
  function keepingLooked(nodes: ReadonlyArray<FileNode>): ReadonlyArray<FileNode> {
    const before = state.get().nodes
    const keep = (level: ReadonlyArray<FileNode>): ReadonlyArray<FileNode> =>
      level.map((node) => {
        if (node.type === "file") return node
        if (node.children !== undefined) return { ...node, children: keep(node.children) }
        const known = findNode(before, node.path)?.children
        return known === undefined ? node : { ...node, children: known }
      })
    return keep(nodes)
  }

  const publish = (change: Partial<FileTreeState>) => state.set({ ...state.get(), ...change })

  events.on("file.changed", () => readSoon())
  events.connected.subscribe((isUp) => {
    if (isUp) readSoon()
  })

  return {
    state,
    onMove: (listener) => {
      moveListeners.add(listener)
      return () => moveListeners.delete(listener)
    },
    get isPermanent() {
      return isForGood
    },
    get isCut() {
      return countNodes(state.get().nodes) >= MAX_TREE_NODES
    },
    load,
    toggle: async (path, open = !state.get().open.has(path)) => {
      const next = new Set(state.get().open)
      if (open) next.add(path)
      else next.delete(path)
      publish({ open: next })
      const node = findNode(state.get().nodes, path)
      return open && node?.type === "directory" && node.children === undefined ? look(path) : done
    },
    reveal: (path) => {
      const { open } = state.get()
      const missing = foldersTo(path).filter((folder) => !open.has(folder))
      if (missing.length > 0) publish({ open: new Set([...open, ...missing]) })
    },
    closeAll: () => publish({ open: new Set() }),
    createFile: (path) => changing(fileSource(api, path).write("", null), () => path),
    createFolder: (path) => changing(post("mkdir", { path }), () => path),
    rename: (path, name) => changing(post("rename", { path, name }), (to) => moved(path, to)),
    move: (path, to) => changing(post("move", { path, to }), () => moved(path, to)),
    remove: (path) => {
      const removed = api.request("POST", "/api/files/delete", ({ undo }: DeletedPath) => ({ undo }), {
        body: { path }
      })
      return changing(removed, (value) => {
        for (const listener of moveListeners) listener({ from: path, to: null })
        return value
      })
    },
    restore: (undo) => changing(post("restore", { undo }), (path) => path),
    trash: () =>
      api.request("GET", "/api/files/trash", ({ entries, isPermanent }: TrashList) => {
        isForGood = isPermanent
        return entries
      }),
    watch: () => {
      watchers += 1
      void load()
      return () => {
        watchers -= 1
        if (watchers > 0) return
        clearTimeout(timer)
        timer = undefined
      }
    },
    readSoon
  }
}

const done: ApiResult<true> = { ok: true, value: true }
