import type { TaskStatus } from "../../../../src/contract/board.ts"
import { type Fields, fieldsOf, parseJson } from "../../../../src/contract/looseFields.ts"
import type { BoardConfig } from "../../../../src/contract/schema/boardConfig.ts"
import type { Task as Card } from "../../../../src/contract/schema/task.ts"
import { type BoardActions, createBoardActions } from "../../../src/core/board/BoardActions.ts"
import { type BoardStore, createBoardStore } from "../../../src/core/board/BoardStore.ts"
import type { Task } from "../../../src/core/board/boardTypes.ts"
import { taskOf } from "../../../src/core/board/readBoard.ts"
import { createObservable } from "../../../src/core/common/Observable.ts"
import { createApiClient } from "../../../src/core/link/ApiClient.ts"
import type { EventListener, EventStream } from "../../../src/core/link/apiTypes.ts"
import { FakeGateway } from "../support/FakeGateway.ts"

/** A card as the server sends it. */
export const card = (id: string, fields: Partial<Card> = {}): Card => ({
  id,
  title: `Card ${id}`,
  status: "todo",
  priority: "normal",
  createdBy: "operator",
  createdAt: 1,
  updatedAt: 1,
  version: 1,
  labels: [],
  columnOrder: 0,
  feedback: [],
  after: [],
  autoStart: false,
  ...fields
})

/** A card as the page knows it. */
export const task = (id: string, fields: Partial<Card> = {}): Task => taskOf(card(id, fields))

export const CONFIG: BoardConfig = {
  columns: [
    { key: "backlog", title: "Backlog", visible: true },
    { key: "todo", title: "To Do", visible: true },
    { key: "in-progress", title: "In Progress", visible: true },
    { key: "review", title: "Review", visible: true },
    { key: "done", title: "Done", visible: true },
    { key: "cancelled", title: "Cancelled", visible: false }
  ],
  defaults: { status: "todo", priority: "normal" },
  reviewRequired: true,
  allowDoneDragBypass: false,
  quickViewLimit: 5,
  proposalPolicy: "confirm",
  parallel: { total: 3, perAgent: 1, paused: false },
  handOver: true
}

interface Answer {
  readonly status: number
  readonly body: object
  readonly headers?: Record<string, string>
}

/** A server whose board a test fills, and whose next answers it may decide. */
export class FakeBoard {
  cards: Array<object> = []
  proposals: Array<unknown> = []
  config: object = CONFIG
  pageSize = 200
  /** Whether the console can be reached. */
  reachable = true
  /** Whether the list can be read. */
  readable = true
  /** Requests as `METHOD path` with their bodies, reads of the list left out. */
  readonly asked: Array<{ readonly call: string; readonly body: Fields }> = []
  reads = 0
  /** What the browser remembers between two visits. */
  readonly storage = new FakeGateway().env.storage
  /** Answers a change; by default it is accepted with the next version. */
  onChange: (call: string, body: Fields) => Answer | Promise<Answer> = () => ({
    status: 500,
    body: {}
  })
  onPage: (offset: number) => void = () => {}
  readonly connected = createObservable(true)
  private readonly listeners = new Map<string, Set<EventListener>>()
  readonly events: EventStream = {
    connected: this.connected,
    on: (name, listener) => {
      const known = this.listeners.get(name) ?? new Set()
      this.listeners.set(name, known.add(listener))
      return () => known.delete(listener)
    },
    start: () => {},
    stop: () => {}
  }

  tell(data: object): void {
    for (const listener of this.listeners.get("kanban.changed") ?? [])
      listener({ event: "kanban.changed", data: JSON.parse(JSON.stringify(data)), ts: 1 })
  }

  changed(task: object): void {
    const { id } = fieldsOf(task)
    this.tell({ kind: "task", action: "updated", id, task })
  }

  open(): { readonly store: BoardStore; readonly actions: BoardActions } {
    const gateway = new FakeGateway()
    gateway.fetch = async (url, init) => {
      if (!this.reachable) throw new TypeError("Failed to fetch")
      const answer = await this.answer(init.method ?? "GET", new URL(url), parseJson(String(init.body ?? "null")))
      return new Response(JSON.stringify(answer.body), {
        status: answer.status,
        ...(answer.headers === undefined ? {} : { headers: answer.headers })
      })
    }
    const store = createBoardStore({
      api: createApiClient(gateway.env),
      events: this.events,
      storage: this.storage
    })
    return { store, actions: createBoardActions(store) }
  }

  private answer(method: string, url: URL, body: unknown): Answer | Promise<Answer> {
    const path = url.pathname.replace("/api/kanban/", "")
    if (method === "GET" && path === "tasks") {
      this.reads++
      if (!this.readable) return { status: 500, body: {} }
      const offset = Number(url.searchParams.get("offset"))
      const items = this.cards.slice(offset, offset + this.pageSize)
      this.onPage(offset)
      return { status: 200, body: { items, hasMore: offset + items.length < this.cards.length } }
    }
    if (method === "GET" && path === "config") return { status: 200, body: this.config }
    if (method === "GET" && path === "proposals") return { status: 200, body: { proposals: this.proposals } }
    this.asked.push({ call: `${method} ${path}`, body: fieldsOf(body) })
    return this.onChange(`${method} ${path}`, fieldsOf(body))
  }
}

/** The ids a column shows. */
export const shown = (store: BoardStore, status: TaskStatus): ReadonlyArray<string> =>
  store.state.get().columns[status].map(({ id }) => id)
