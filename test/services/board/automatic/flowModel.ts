import type { TaskPriority, TaskStatus } from "../../../../src/contract/board.ts"

const MINUTE_MS = 60_000
const PRIORITIES: ReadonlyArray<TaskPriority> = ["critical", "high", "normal", "low"]

/** A card as the contract describes it, without anything of how the console stores it. */
export interface ModelCard {
  readonly title: string
  status: TaskStatus
  priority: TaskPriority
  after: ReadonlyArray<string>
  autoStart: boolean
  startAt: number | undefined
  readonly retry: { readonly max: number; readonly waitMin: number } | undefined
  readonly agent: string
  attempts: number
  /** Its place in the column. */
  place: number
  run: { automatic: boolean; status: "running" | "done" | "error" | "aborted" } | undefined
  /** Failed automatic runs in a row. */
  failures: number
  gaveUp: boolean
  starts: ReadonlyArray<number>
}

/** A plain model of a board whose cards start by themselves. */
export const makeFlowModel = (start: number) => {
  const cards = new Map<string, ModelCard>()
  let total = 3
  let perAgent = 1
  let isPaused = false
  let isHeld = false
  let now = start
  let places = 0
  let failures: ReadonlyArray<number> = []
  const dismissed = new Set<string>()

  const all = () => [...cards.values()]
  const isRunning = ({ run }: ModelCard) => run?.status === "running"
  const isDone = (title: string) => cards.get(title)?.status === "done"
  const lostOf = ({ after }: ModelCard) =>
    after.filter((title) => {
      const card = cards.get(title)
      return card === undefined || card.status === "cancelled" || (card.gaveUp && card.status !== "done")
    })

  const move = (card: ModelCard, status: TaskStatus) => {
    if (isRunning(card) && status !== "in-progress" && card.run !== undefined) {
      card.run.status = "aborted"
      card.autoStart = false
      card.failures = 0
    }
    if (card.status !== status) {
      places += 1
      card.place = places
    }
    card.status = status
  }

  const begin = (card: ModelCard, automatic: boolean) => {
    if (!automatic) card.failures = 0
    if (automatic) {
      card.attempts += 1
      card.starts = [...card.starts, now]
    }
    card.run = { automatic, status: "running" }
    card.gaveUp = false
    move(card, "in-progress")
  }

  const trip = () => {
    isPaused = true
  }

  const canStart = (card: ModelCard) =>
    card.autoStart && card.status === "todo" && card.after.every(isDone) && (card.startAt ?? 0) <= now

  /** Starts what can start, by priority and place. */
  const settle = () => {
    const ready = all()
      .filter(canStart)
      .toSorted((a, b) => PRIORITIES.indexOf(a.priority) - PRIORITIES.indexOf(b.priority) || a.place - b.place)
    for (const card of ready) {
      const running = all().filter(isRunning)
      if (isPaused || isHeld || running.length >= total) return
      if (running.filter(({ agent }) => agent === card.agent).length >= perAgent) continue
      if (card.starts.filter((at) => at > now - 1440 * MINUTE_MS).length >= 10) {
        card.autoStart = false
        card.gaveUp ||= card.run?.status === "error" && card.run.automatic
        trip()
        return
      }
      begin(card, true)
    }
  }

  return {
    cards,
    running: () => all().filter(isRunning),
    lost: () =>
      all()
        .filter((card) => card.autoStart && card.status === "todo" && lostOf(card).length > 0)
        .filter((card) => lostOf(card).some((title) => !dismissed.has(`${card.title} ${title}`)))
        .map(({ title }) => title),
    isPaused: () => isPaused,
    isHeld: () => isHeld,
    settle,
    add: (card: Omit<ModelCard, "attempts" | "place" | "run" | "failures" | "gaveUp" | "starts">) => {
      places += 1
      cards.set(card.title, {
        ...card,
        attempts: 0,
        place: places,
        run: undefined,
        failures: 0,
        gaveUp: false,
        starts: []
      })
    },
    execute: (card: ModelCard) => begin(card, false),
    finish: (card: ModelCard) => {
      if (card.run !== undefined) card.run.status = "done"
      card.failures = 0
      move(card, "done")
    },
    fail: (card: ModelCard) => {
      if (card.run === undefined) return
      card.run.status = "error"
      if (card.run.automatic) {
        card.failures += 1
        failures = [...failures, now]
        if (card.autoStart && card.retry !== undefined && card.failures <= card.retry.max)
          card.startAt = now + card.retry.waitMin * MINUTE_MS
        else {
          card.autoStart = false
          card.gaveUp = true
        }
        if (failures.filter((at) => at > now - 10 * MINUTE_MS).length >= 6) trip()
      }
      move(card, "todo")
    },
    move,
    pass: (minutes: number) => {
      now += minutes * MINUTE_MS
    },
    now: () => now,
    minutes: () => (now - start) / MINUTE_MS,
    limit: (more: { readonly total: number; readonly perAgent: number }) => {
      total = more.total
      perAgent = more.perAgent
    },
    hold: (is: boolean) => {
      isHeld = is
    },
    pause: (is: boolean) => {
      isPaused = is
      if (is) return
      failures = []
      for (const card of all()) card.starts = []
    },
    unlink: (card: ModelCard) => {
      const lost = lostOf(card)
      card.after = card.after.filter((title) => !lost.includes(title))
    },
    dismiss: (card: ModelCard) => {
      for (const title of lostOf(card)) dismissed.add(`${card.title} ${title}`)
    }
  }
}

export type FlowModel = ReturnType<typeof makeFlowModel>
