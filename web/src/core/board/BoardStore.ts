import { TASK_STATUSES } from "../../../../src/contract/board.ts"
import type { KanbanChange } from "../../../../src/contract/schema/kanbanChange.ts"
import { type ActionResult, createObservable, type Readable } from "../common/Observable.ts"
import type { ApiClient, ApiFailureKind, ApiResult, EventStream } from "../link/apiTypes.ts"
import type { KeyValueStorage } from "../link/Environment.ts"
import { type BoardData, createBoardData } from "./BoardData.ts"
import { type BoardApi, createBoardApi, type NewTask } from "./boardApi.ts"
import { type BoardConfig, isWaiting, type Proposal, type Task } from "./boardTypes.ts"
import { createCardFlow } from "./cardFlow.ts"
import { keepBoard, type LastBoard, lastBoard } from "./lastBoard.ts"
import { configOf, keptTask, proposalOf, taskOf } from "./readBoard.ts"
import { NO_CARDS, type PendingChange, type VisibleColumns, visibleBoard } from "./visibleBoard.ts"

/** Maximum pages read: 10,000 cards. */
const MAX_PAGES = 50
/** How often a list that changed while being read is read again. */
const MAX_READINGS = 3
const MAX_WAIT = 60_000
/** Failures that say nothing about the board. */
const UNREACHED: ReadonlySet<ApiFailureKind> = new Set(["offline", "foreign", "timeout"])

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
  /** When it was read, if that was on an earlier visit since the console can't be reached; null otherwise. */
  readonly readAt: number | null
}

const EMPTY: BoardState = {
  status: "loading",
  message: null,
  columns: NO_CARDS,
  config: null,
  proposals: [],
  saving: new Set(),
  partial: false,
  readAt: null
}

/** The longest wait of a browser's timer. */
const MAX_TIMER = 2_147_483_647
/** At most this often, the server is asked what cards wait for: far from a rate limit, and soon enough for people. */
const LOOK_MS = 3_000

/** Whether only the server knows when a card could start. */
const isHeld = (task: Task): boolean =>
  isWaiting(task) && (task.autoStart || task.waitsFor.some(({ kind }) => kind !== "card" && kind !== "time"))

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

export interface BoardStore {
  readonly calls: BoardApi
  readonly data: BoardData
  readonly state: Readable<BoardState>
  /** The card as shown, with pending changes. */
  find(id: string): Task | null
  /** Reloads everything; calls during a read add one more read after it. */
  refresh(): Promise<void>
  /** Takes a card from a response or an event. */
  take(task: Task): void
  /** Removes a deleted card. */
  drop(id: string): void
  takeConfig(config: BoardConfig): void
  takeProposal(proposal: Proposal): void
  /** Shows a change at once; it stays until `settle` is called with it. */
  begin(change: PendingChange): void
  /** Ends a change: from now on only what the server said is shown. */
  settle(change: PendingChange): void
  /** Creates a card; the value is the card the server made. */
  create(fields: NewTask): Promise<ActionResult<Task>>
  dispose(): void
}

export interface BoardStoreSource {
  readonly api: ApiClient
  readonly events: EventStream
  /** Where the board that was read last is kept. */
  readonly storage: KeyValueStorage
}

/** The board as shown on this page; follows the server's events and reloads after every interruption of the stream. */
export function createBoardStore(source: BoardStoreSource): BoardStore {
  const data = createBoardData()
  const state = createObservable<BoardState>(EMPTY)
  let pending: ReadonlyArray<PendingChange> = []
  let visible: VisibleColumns = NO_CARDS
  let config: BoardConfig | null = null
  let proposals = new Map<string, Proposal>()
  let status: BoardState["status"] = "loading"
  let message: string | null = null
  let partial = false
  let readAt: number | null = null
  let reading: Promise<void> | null = null
  let stale = false
  let scheduled = false
  const flow = createCardFlow()
  let clock: ReturnType<typeof setTimeout> | undefined
  let look: ReturnType<typeof setTimeout> | undefined
  const calls = createBoardApi(source.api)

  function refresh(): Promise<void> {
    if (reading !== null) {
      stale = true
      return reading
    }
    const mine = readAll().finally(() => {
      reading = null
    })
    reading = mine
    return mine
  }

  async function readAll(): Promise<void> {
    for (let count = 0; count < MAX_READINGS; count++) {
      stale = false
      const [whole] = await Promise.all([readTasks(), readConfig(), readProposals()])
      if (whole && !stale) return
      if (status === "failed") return
    }
  }

  /** Asks once more after the time a rate limit names. */
  async function patiently<A>(ask: () => Promise<ApiResult<A>>): Promise<ApiResult<A>> {
    const answer = await ask()
    if (answer.ok || answer.error.retryAfterMs === null) return answer
    await pause(Math.min(answer.error.retryAfterMs, MAX_WAIT))
    return ask()
  }

  async function readTasks(): Promise<boolean> {
    data.beginReading()
    const found: Array<Task> = []
    let more = true
    let pages = 0
    let offset = 0
    for (; more && pages < MAX_PAGES; pages++) {
      const page = await patiently(() => calls.page(offset))
      if (!page.ok) {
        data.endReading()
        const kept = status !== "ready" && UNREACHED.has(page.error.kind) ? lastBoard(source.storage) : null
        if (kept !== null) showKept(kept)
        else if (status !== "ready") {
          status = "failed"
          message = page.error.message
        }
        publish()
        return true
      }
      found.push(...page.value.items)
      offset += page.value.items.length
      more = page.value.hasMore && page.value.items.length > 0
    }
    const whole = data.replace(found, pages)
    keepBoard(source.storage, { at: Date.now(), tasks: found })
    partial = more
    status = "ready"
    message = null
    readAt = null
    publish()
    return whole
  }

  function showKept({ at, tasks }: LastBoard): void {
    data.beginReading()
    data.replace(tasks.map(keptTask), 1)
    status = "ready"
    readAt = at
  }

  async function readConfig(): Promise<void> {
    const answer = await patiently(() => calls.config())
    if (answer.ok) takeConfig(answer.value)
  }

  async function readProposals(): Promise<void> {
    const answer = await patiently(() => calls.proposals())
    if (!answer.ok) return
    const read = new Map(answer.value.map((proposal) => [proposal.id, proposal]))
    for (const [id, known] of proposals) {
      const listed = read.get(id)
      if (listed !== undefined && known.version > listed.version) read.set(id, known)
    }
    proposals = read
    publish()
  }

  function onChange({ action, config, id, kind, proposal, task }: KanbanChange): void {
    if (kind === "task" && action === "deleted") drop(id)
    if (task !== undefined) take(taskOf(task))
    if (config !== undefined) takeConfig(configOf(config))
    if (proposal !== undefined) takeProposal(proposalOf(proposal))
    lookSoon()
  }

  /** What happens to one card, a budget or the whole console changes what others wait for. */
  function lookSoon(): void {
    if (look !== undefined || ![...data.all().values()].some(isHeld)) return
    look = setTimeout(() => {
      look = undefined
      void readWaits()
    }, LOOK_MS)
  }

  async function readWaits(): Promise<void> {
    const answer = await calls.blocked()
    if (!answer.ok) return
    data.takeWaits(answer.value.items, !answer.value.hasMore)
    publish()
  }

  function take(task: Task): void {
    data.take(task)
    publish()
  }

  function drop(id: string): void {
    data.drop(id)
    publish()
  }

  function takeConfig(next: BoardConfig): void {
    config = next
    publish()
  }

  function takeProposal(proposal: Proposal): void {
    const known = proposals.get(proposal.id)
    if (known !== undefined && known.version >= proposal.version) return
    proposals = new Map([[proposal.id, proposal], ...[...proposals].filter(([id]) => id !== proposal.id)])
    publish()
  }

  /** Many events at once cause one render. */
  function publish(): void {
    if (scheduled) return
    scheduled = true
    queueMicrotask(() => publishNow())
  }

  function publishNow(): void {
    scheduled = false
    const before = state.get()
    const saving = new Set(pending.filter(({ kind }) => kind !== "remove").map(({ id }) => id))
    const same = saving.size === before.saving.size && [...saving].every((id) => before.saving.has(id))
    const now = Date.now()
    visible = visibleBoard(data, pending, visible)
    const { changesAt, columns } = flow.of(visible, { find: data.find, isPartial: partial, now })
    clearTimeout(clock)
    if (changesAt !== null) clock = setTimeout(publish, Math.min(Math.max(changesAt - now, 0) + 1, MAX_TIMER))
    state.set({
      status,
      message,
      columns,
      config,
      proposals: [...proposals.values()].sort((a, b) => b.proposedAt - a.proposedAt),
      saving: same ? before.saving : saving,
      partial,
      readAt
    })
  }

  const stops = [
    source.events.on("kanban.changed", ({ data }) => onChange(data)),
    source.events.on("budget.changed", lookSoon),
    source.events.on("stop.changed", lookSoon),
    source.events.connected.subscribe((up) => {
      if (up) void refresh()
    })
  ]
  void refresh()

  return {
    calls,
    data,
    state,
    find: (id) => {
      const { columns } = state.get()
      for (const status of TASK_STATUSES) {
        const found = columns[status].find((task) => task.id === id)
        if (found !== undefined) return found
      }
      return null
    },
    refresh,
    take,
    drop,
    takeConfig,
    takeProposal,
    begin: (change) => {
      pending = [...pending, change]
      publishNow()
    },
    settle: (change) => {
      pending = pending.filter((other) => other !== change)
      publish()
    },
    create: async (fields) => {
      const made = await calls.create(fields)
      if (!made.ok) return { ok: false, message: made.error.message }
      take(made.value)
      publishNow()
      return made
    },
    dispose: () => {
      for (const stop of stops) stop()
      clearTimeout(clock)
      clearTimeout(look)
    }
  }
}
