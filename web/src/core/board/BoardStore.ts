import { TASK_STATUSES } from "../../../../src/contract/answers/BoardAnswers.ts"
import { createObservable } from "../common/Observable.ts"
import type { ActionResult, Readable } from "../common/readable.ts"
import type { ApiClient, ApiResult, EventStream } from "../link/apiTypes.ts"
import { BoardData } from "./BoardData.ts"
import { type BoardApi, createBoardApi, type NewTask } from "./boardApi.ts"
import type { BoardConfig, Proposal, Task } from "./boardTypes.ts"
import { changeOf } from "./decodeBoard.ts"
import { NO_CARDS, type PendingChange, type VisibleColumns, visibleBoard } from "./visibleBoard.ts"

/** Maximum pages read: 10,000 cards. */
const MAX_PAGES = 50
/** How often a list that changed while being read is read again. */
const MAX_READINGS = 3
const MAX_WAIT = 60_000

export interface BoardState {
  readonly status: "loading" | "ready" | "failed"
  /** Why the board couldn't be loaded. */
  readonly message: string | null
  readonly columns: VisibleColumns
  readonly config: BoardConfig | null
  /** Most recent first. */
  readonly proposals: ReadonlyArray<Proposal>
  /** Cards with a change the server hasn't confirmed yet. */
  readonly saving: ReadonlySet<string>
  /** There are more cards than the page loads. */
  readonly partial: boolean
}

const EMPTY: BoardState = {
  status: "loading",
  message: null,
  columns: NO_CARDS,
  config: null,
  proposals: [],
  saving: new Set(),
  partial: false
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** The board as shown on this page; follows the server's events and reloads after every interruption of the stream. */
export class BoardStore {
  readonly calls: BoardApi
  readonly data = new BoardData()
  private readonly published = createObservable<BoardState>(EMPTY)
  private pending: ReadonlyArray<PendingChange> = []
  private config: BoardConfig | null = null
  private proposals = new Map<string, Proposal>()
  private status: BoardState["status"] = "loading"
  private message: string | null = null
  private partial = false
  private reading: Promise<void> | null = null
  private stale = false
  private scheduled = false
  private readonly stops: ReadonlyArray<() => void>

  constructor(source: { readonly api: ApiClient; readonly events: EventStream }) {
    this.calls = createBoardApi(source.api)
    this.stops = [
      source.events.on("kanban.changed", ({ data }) => this.onChange(data)),
      source.events.connected.subscribe((up) => {
        if (up) void this.refresh()
      })
    ]
    void this.refresh()
  }

  get state(): Readable<BoardState> {
    return this.published
  }

  /** The card as shown, with pending changes. */
  find(id: string): Task | null {
    const { columns } = this.published.get()
    for (const status of TASK_STATUSES) {
      const found = columns[status].find((task) => task.id === id)
      if (found !== undefined) return found
    }
    return null
  }

  /** Reloads everything; calls during a read add one more read after it. */
  refresh(): Promise<void> {
    if (this.reading !== null) {
      this.stale = true
      return this.reading
    }
    const mine = this.readAll().finally(() => {
      this.reading = null
    })
    this.reading = mine
    return mine
  }

  private async readAll(): Promise<void> {
    for (let count = 0; count < MAX_READINGS; count++) {
      this.stale = false
      const [whole] = await Promise.all([this.readTasks(), this.readConfig(), this.readProposals()])
      if (whole && !this.stale) return
      if (this.status === "failed") return
    }
  }

  /** Asks once more after the time a rate limit names. */
  private async patiently<A>(ask: () => Promise<ApiResult<A>>): Promise<ApiResult<A>> {
    const answer = await ask()
    if (answer.ok || answer.error.retryAfterMs === null) return answer
    await pause(Math.min(answer.error.retryAfterMs, MAX_WAIT))
    return ask()
  }

  private async readTasks(): Promise<boolean> {
    this.data.beginReading()
    const found: Array<Task> = []
    let more = true
    let pages = 0
    let offset = 0
    for (; more && pages < MAX_PAGES; pages++) {
      const page = await this.patiently(() => this.calls.page(offset))
      if (!page.ok) {
        this.data.endReading()
        if (this.status !== "ready") {
          this.status = "failed"
          this.message = page.error.message
        }
        this.publish()
        return true
      }
      found.push(...page.value.items)
      offset += page.value.items.length
      more = page.value.hasMore && page.value.items.length > 0
    }
    const whole = this.data.replace(found, pages)
    this.partial = more
    this.status = "ready"
    this.message = null
    this.publish()
    return whole
  }

  private async readConfig(): Promise<void> {
    const answer = await this.patiently(() => this.calls.config())
    if (answer.ok) this.takeConfig(answer.value)
  }

  private async readProposals(): Promise<void> {
    const answer = await this.patiently(() => this.calls.proposals())
    if (!answer.ok) return
    const read = new Map(answer.value.map((proposal) => [proposal.id, proposal]))
    for (const [id, known] of this.proposals) {
      const listed = read.get(id)
      if (listed !== undefined && known.version > listed.version) read.set(id, known)
    }
    this.proposals = read
    this.publish()
  }

  private onChange(value: unknown): void {
    const change = changeOf(value)
    switch (change?.kind) {
      case "task":
        this.take(change.task)
        break
      case "deleted":
        this.drop(change.id)
        break
      case "config":
        this.takeConfig(change.config)
        break
      case "proposal":
        this.takeProposal(change.proposal)
        break
    }
  }

  /** Takes a card from a response or an event. */
  take(task: Task): void {
    this.data.take(task)
    this.publish()
  }

  /** Removes a deleted card. */
  drop(id: string): void {
    this.data.drop(id)
    this.publish()
  }

  takeConfig(config: BoardConfig): void {
    this.config = config
    this.publish()
  }

  takeProposal(proposal: Proposal): void {
    const known = this.proposals.get(proposal.id)
    if (known !== undefined && known.version >= proposal.version) return
    this.proposals = new Map([[proposal.id, proposal], ...[...this.proposals].filter(([id]) => id !== proposal.id)])
    this.publish()
  }

  /** A decision on a proposal that the server has accepted; its event brings the rest. */
  resolved(id: string, status: "approved" | "rejected", reason: string): void {
    const known = this.proposals.get(id)
    if (known === undefined || known.status !== "pending") return
    this.proposals.set(id, { ...known, status, reason: reason === "" ? null : reason })
    this.publish()
  }

  /** Shows a change at once; it stays until `settle` is called with it. */
  begin(change: PendingChange): void {
    this.pending = [...this.pending, change]
    this.publishNow()
  }

  /** Ends a change: from now on only what the server said is shown. */
  settle(change: PendingChange): void {
    this.pending = this.pending.filter((other) => other !== change)
    this.publish()
  }

  /** Creates a card; the value is the card the server made. */
  async create(fields: NewTask): Promise<ActionResult<Task>> {
    const made = await this.calls.create(fields)
    if (!made.ok) return { ok: false, message: made.error.message }
    this.take(made.value)
    this.publishNow()
    return made
  }

  /** Many events at once cause one render. */
  private publish(): void {
    if (this.scheduled) return
    this.scheduled = true
    queueMicrotask(() => this.publishNow())
  }

  private publishNow(): void {
    this.scheduled = false
    const before = this.published.get()
    const saving = new Set(this.pending.filter(({ kind }) => kind !== "remove").map(({ id }) => id))
    const same = saving.size === before.saving.size && [...saving].every((id) => before.saving.has(id))
    this.published.set({
      status: this.status,
      message: this.message,
      columns: visibleBoard(this.data, this.pending, before.columns),
      config: this.config,
      proposals: [...this.proposals.values()].sort((a, b) => b.proposedAt - a.proposedAt),
      saving: same ? before.saving : saving,
      partial: this.partial
    })
  }

  dispose(): void {
    for (const stop of this.stops) stop()
  }
}
