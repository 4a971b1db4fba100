import type { Answers } from "../../../../src/contract/answers/Answers.ts"
import {
  type ChangedPath,
  type FileNode,
  MAX_TREE_NODES,
  type TrashEntry
} from "../../../../src/contract/answers/KnowledgeAnswers.ts"
import { fieldsOf, numberOf, recordsOf, textOf } from "../common/decode.ts"
import { createObservable } from "../common/Observable.ts"
import type { ApiClient, ApiResult, EventStream } from "../link/apiTypes.ts"
import { decodeNodes, findNode, foldersTo, movedPath, withChildren } from "./fileNodes.ts"
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

const changedPath = (body: unknown): string | null => textOf(fieldsOf<ChangedPath>(body).path)

/** The workspace's files and folders, and what can be done with them. Follows others' changes. */
export class FileTreeStore {
  readonly state = createObservable<FileTreeState>({ status: "loading", message: null, nodes: [], open: new Set() })
  /** Whether deletes are permanent, as far as is known: assumed until the server says otherwise. */
  isPermanent = true
  private readonly api: ApiClient
  private readonly moveListeners = new Set<(move: FileMove) => void>()
  private timer: ReturnType<typeof setTimeout> | undefined
  private readAt = Number.NEGATIVE_INFINITY
  private reading = 0
  private watchers = 0

  constructor(api: ApiClient, events: EventStream) {
    this.api = api
    events.on("file.changed", () => this.readSoon())
    events.connected.subscribe((isUp) => {
      if (isUp) this.readSoon()
    })
  }

  /** Reports files that this page moved or deleted. */
  onMove(listener: (move: FileMove) => void): () => void {
    this.moveListeners.add(listener)
    return () => this.moveListeners.delete(listener)
  }

  /** Whether the server left out files because there are too many. */
  get isCut(): boolean {
    return countNodes(this.state.get().nodes) >= MAX_TREE_NODES
  }

  /** Reads the whole tree. */
  async load(): Promise<void> {
    const generation = ++this.reading
    clearTimeout(this.timer)
    this.timer = undefined
    if (this.state.get().status === "failed") this.publish({ status: "loading", message: null })
    const result = await this.api.request("GET", "/api/files/tree", (body) =>
      Array.isArray(body) ? decodeNodes(body) : null
    )
    this.readAt = Date.now()
    if (generation !== this.reading) return
    if (result.ok) this.publish({ status: "ready", message: null, nodes: this.keepingLooked(result.value) })
    else if (this.state.get().status === "ready") {
      if (result.error.retryAfterMs !== null) this.timer = setTimeout(() => this.load(), result.error.retryAfterMs)
    } else this.publish({ status: "failed", message: result.error.message })
  }

  /** Opens or closes a folder; a folder not loaded yet is loaded first. */
  async toggle(path: string, open = !this.state.get().open.has(path)): Promise<ApiResult<true>> {
    const next = new Set(this.state.get().open)
    if (open) next.add(path)
    else next.delete(path)
    this.publish({ open: next })
    const node = findNode(this.state.get().nodes, path)
    return open && node?.type === "directory" && node.children === undefined ? this.look(path) : done
  }

  /** Opens every folder on the way to a file. */
  reveal(path: string): void {
    const { open } = this.state.get()
    const missing = foldersTo(path).filter((folder) => !open.has(folder))
    if (missing.length > 0) this.publish({ open: new Set([...open, ...missing]) })
  }

  closeAll(): void {
    this.publish({ open: new Set() })
  }

  createFile(path: string): Promise<ApiResult<string>> {
    return this.changing(fileSource(this.api, path).write("", null), () => path)
  }

  createFolder(path: string): Promise<ApiResult<string>> {
    return this.changing(this.post("mkdir", { path }), () => path)
  }

  rename(path: string, name: string): Promise<ApiResult<string>> {
    return this.changing(this.post("rename", { path, name }), (to) => this.moved(path, to))
  }

  move(path: string, to: string): Promise<ApiResult<string>> {
    return this.changing(this.post("move", { path, to }), () => this.moved(path, to))
  }

  /** Deletes; returns the id for undoing it, null if deletes are permanent. */
  remove(path: string): Promise<ApiResult<{ readonly undo: string | null }>> {
    const removed = this.api.request(
      "POST",
      "/api/files/delete",
      (body) => {
        const { ok, undo } = fieldsOf<Answers["POST /api/files/delete"]>(body)
        return ok === true ? { undo: textOf(undo) } : null
      },
      { body: { path } }
    )
    return this.changing(removed, (value) => {
      for (const listener of this.moveListeners) listener({ from: path, to: null })
      return value
    })
  }

  /** Undoes a deletion; returns the path. */
  restore(undo: string): Promise<ApiResult<string>> {
    return this.changing(this.post("restore", { undo }), (path) => path)
  }

  /** What can be restored; also determines whether deletes are permanent. */
  async trash(): Promise<ApiResult<ReadonlyArray<TrashEntry>>> {
    const result = await this.api.request("GET", "/api/files/trash", (body) => {
      const { entries, isPermanent } = fieldsOf<Answers["GET /api/files/trash"]>(body)
      if (!Array.isArray(entries)) return null
      this.isPermanent = isPermanent === true
      return recordsOf<TrashEntry>(entries)
    })
    if (!result.ok) return result
    const entries = result.value.flatMap(({ undo, path, deletedAt }) =>
      typeof undo === "string" && typeof path === "string" ? [{ undo, path, deletedAt: numberOf(deletedAt) ?? 0 }] : []
    )
    return { ok: true, value: entries }
  }

  /** Reads the tree, and again whenever it changes, until the returned function is called. */
  watch(): () => void {
    this.watchers += 1
    void this.load()
    return () => {
      this.watchers -= 1
      if (this.watchers > 0) return
      clearTimeout(this.timer)
      this.timer = undefined
    }
  }

  /** Something changed; if someone is looking at the tree, it is read soon, but not too often. */
  readSoon(): void {
    if (this.watchers === 0) return
    if (this.state.get().status === "loading" || this.timer !== undefined) return
    const wait = Math.max(150, this.readAt + READ_EVERY - Date.now())
    this.timer = setTimeout(() => this.load(), wait)
  }

  private moved(from: string, to: string): string {
    const { open } = this.state.get()
    this.publish({ open: new Set([...open].map((path) => movedPath(path, from, to))) })
    for (const listener of this.moveListeners) listener({ from, to })
    return to
  }

  private post(action: string, body: object): Promise<ApiResult<string>> {
    return this.api.request("POST", `/api/files/${action}`, changedPath, { body })
  }

  /** Reads the tree again after a successful change. */
  private async changing<A, B>(change: Promise<ApiResult<A>>, then: (value: A) => B): Promise<ApiResult<B>> {
    const result = await change
    if (!result.ok) return result
    const value = then(result.value)
    await this.load()
    return { ok: true, value }
  }

  private async look(path: string): Promise<ApiResult<true>> {
    const result = await this.api.request("GET", `/api/files/tree?${pathQuery(path)}&depth=1`, (body) =>
      Array.isArray(body) ? decodeNodes(body) : null
    )
    if (!result.ok) return result
    this.publish({ nodes: withChildren(this.state.get().nodes, path, result.value) })
    return done
  }

  /** Folders missing from one response keep what was seen of them. */
  private keepingLooked(nodes: ReadonlyArray<FileNode>): ReadonlyArray<FileNode> {
    const before = this.state.get().nodes
    const keep = (level: ReadonlyArray<FileNode>): ReadonlyArray<FileNode> =>
      level.map((node) => {
        if (node.type === "file") return node
        if (node.children !== undefined) return { ...node, children: keep(node.children) }
        const known = findNode(before, node.path)?.children
        return known === undefined ? node : { ...node, children: known }
      })
    return keep(nodes)
  }

  private publish(change: Partial<FileTreeState>): void {
    this.state.set({ ...this.state.get(), ...change })
  }
}

const done: ApiResult<true> = { ok: true, value: true }
