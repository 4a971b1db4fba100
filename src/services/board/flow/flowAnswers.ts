import { Effect } from "effect"
import { PRIMARY } from "../../../contract/qualifiedKey.ts"
import type { BoardConfig } from "../../../contract/schema/boardConfig.ts"
import type { Task, WaitReason } from "../../../contract/schema/task.ts"
import type { StartConditions } from "../../holds/StartHolds.ts"
import { agentOfRun } from "../runs/runPrompt.ts"
import type { BoardDb } from "../store/BoardStore.ts"
import { countChildren, findEveryPredecessor, findPredecessors, type Predecessor } from "../store/linkStore.ts"
import { listRuns } from "../store/runStore.ts"
import { tasksIn } from "../store/taskPlaces.ts"
import { statusNumber } from "../store/taskRows.ts"
import { agentLabel, mayStart, type TaskContent } from "../tasks/taskRules.ts"
import { isHeld, type StartFacts, startGate } from "./startGate.ts"

/** What the gate needs to know of a card. */
export type StartCard = Pick<
  TaskContent,
  "id" | "status" | "after" | "autoStart" | "startAt" | "gatewayId" | "assignee" | "model"
>

/** What decides about starts besides the cards. */
export interface StartContext {
  readonly now: number
  readonly config: BoardConfig
  readonly conditions: StartConditions
}

/** What other cards, the time and the console add to a card's answer. */
export type Flow = Pick<Task, "children" | "waitsFor">

const IN_PROGRESS = statusNumber("in-progress")

/** The gateway and agent that a card would run on; an agent that the gateway doesn't have is its main one. */
const placeOf = ({ assignee, gatewayId = PRIMARY }: Pick<StartCard, "assignee" | "gatewayId">) => ({
  gatewayId,
  agentId: agentLabel(assignee)
})

/** An agent of a gateway. */
export const workerOf = (gatewayId: string | undefined, agentId: string): string =>
  JSON.stringify([gatewayId ?? PRIMARY, agentId])

/** How many runs there are by gateway and agent, and cards in the column of running ones. */
const readLoad = Effect.fnUntraced(function* (db: BoardDb) {
  const runs = yield* listRuns(db, "active")
  const byAgent = new Map<string, number>()
  for (const { gatewayId, sessionKey } of runs) {
    const worker = workerOf(gatewayId, agentOfRun(sessionKey))
    byAgent.set(worker, (byAgent.get(worker) ?? 0) + 1)
  }
  return { running: runs.length, inProgress: yield* tasksIn(db, [IN_PROGRESS]), byAgent }
})

type Load = Effect.Success<ReturnType<typeof readLoad>>

const automaticFacts = (card: StartCard, { config, conditions }: StartContext, load: Load) => {
  const { columns, defaultModel, parallel } = config
  const { agentId, gatewayId } = placeOf(card)
  return {
    isSwitchedOff: parallel.paused,
    board: { used: load.running, limit: parallel.total },
    agent: {
      name: agentId,
      used: load.byAgent.get(workerOf(gatewayId, agentId)) ?? 0,
      limit: parallel.perAgent
    },
    column: { used: load.inProgress, limit: columns.find(({ key }) => key === "in-progress")?.wipLimit ?? 0 },
    usage: conditions.usageOf({ taskId: card.id, gatewayId, agentId, model: card.model ?? defaultModel })
  }
}

const factsOf = (
  card: StartCard,
  context: StartContext,
  known: ReadonlyMap<string, Predecessor>,
  load: Load | undefined
): StartFacts => {
  const { conditions, now } = context
  const place = placeOf(card)
  return {
    now,
    startAt: card.startAt,
    after: card.after.map((id) => ({ id, title: known.get(id)?.title, status: known.get(id)?.status })),
    isStopped: conditions.isStopped,
    budget: conditions.budgetOf({ taskId: card.id, ...place }),
    gateway: conditions.gatewayOf(place.gatewayId),
    ...(card.autoStart && load !== undefined ? { automatic: automaticFacts(card, context, load) } : {})
  }
}

const NO_REASONS: ReadonlyArray<WaitReason> = []

const loadFor = (db: BoardDb, cards: ReadonlyArray<StartCard>) =>
  cards.some((card) => card.autoStart && mayStart(card)) ? readLoad(db) : Effect.undefined

/** Why each of these cards can't start now, in their order; nothing of those that are past that. */
export const startReasons = Effect.fnUntraced(function* (
  db: BoardDb,
  cards: ReadonlyArray<StartCard>,
  context: StartContext
) {
  const ids = new Set<string>()
  for (const card of cards) if (mayStart(card)) for (const id of card.after) ids.add(id)
  const known = yield* findPredecessors(db, [...ids])
  const load = yield* loadFor(db, cards)
  return cards.map((card) => (mayStart(card) ? startGate(factsOf(card, context, known, load)) : NO_REASONS))
})

/** Those of the cards that can't start now, and those that can; for many of them, up to the whole board. */
export const splitByStart = Effect.fnUntraced(function* <Card extends StartCard>(
  db: BoardDb,
  cards: ReadonlyArray<Card>,
  context: StartContext
) {
  const known = yield* findEveryPredecessor(db)
  const load = yield* loadFor(db, cards)
  const held = new Set(cards.filter((card) => isHeld(factsOf(card, context, known, load))))
  return { held: cards.filter((card) => held.has(card)), free: cards.filter((card) => !held.has(card)) }
})

/** What the answers of these cards have besides what is stored, in their order. */
export const flowOf = Effect.fnUntraced(function* (
  db: BoardDb,
  cards: ReadonlyArray<StartCard>,
  context: StartContext
) {
  const children = yield* countChildren(
    db,
    cards.map(({ id }) => id)
  )
  const reasons = yield* startReasons(db, cards, context)
  return cards.map(({ id }, index): Flow => {
    const count = children.get(id)
    const waitsFor = reasons[index] ?? NO_REASONS
    return { ...(count === undefined ? {} : { children: count }), ...(waitsFor.length === 0 ? {} : { waitsFor }) }
  })
})

/** These cards as they are answered. */
export const withFlow = Effect.fnUntraced(function* (db: BoardDb, tasks: ReadonlyArray<Task>, context: StartContext) {
  if (tasks.length === 0) return []
  const flows = yield* flowOf(db, tasks, context)
  return tasks.map((task, index): Task => ({ ...task, ...flows[index] }))
})
