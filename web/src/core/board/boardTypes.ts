import type { Fields, Shown } from "../../../../src/contract/looseFields.ts"
import type * as Config from "../../../../src/contract/schema/boardConfig.ts"
import type * as Change from "../../../../src/contract/schema/proposal.ts"
import type * as Answer from "../../../../src/contract/schema/task.ts"
import type { PatchTask } from "../../../../src/contract/schema/taskInputs.ts"

/** The active or last run of a task. */
export type RunLink = Shown<Omit<Answer.RunLink, "sessionId" | "runId" | "why" | "noteWhy">>

/** Why a card can't start now; `details` are in the page's language. */
export interface CardWait extends Shown<Omit<Answer.WaitReason, "why">> {
  /** The title of the card that it names; null for one that isn't on the board. */
  readonly title: string | null
}

/** A card of the board; what the server leaves out is null here. */
export interface Task extends Shown<Omit<Answer.Task, "run" | "attempts" | "waitsFor">> {
  readonly run: RunLink | null
  /** Automatic starts so far. */
  readonly attempts: number
  readonly waitsFor: ReadonlyArray<CardWait>
}

/** The fields a patch may set. */
type Patched = {
  [K in keyof PatchTask]: [Exclude<PatchTask[K], undefined>] extends [never] ? never : K
}[keyof PatchTask]
export type TaskField = Exclude<NonNullable<Patched>, "version">
/** The fields a person may change; null clears. */
export type TaskValues = Pick<Task, TaskField>
export type TaskChanges = Partial<TaskValues>

/** A change someone proposed; the payload is shown as it is. */
export interface Proposal extends Shown<Omit<Change.Proposal, "payload">> {
  readonly payload: Fields
}

export interface BoardColumn extends Config.BoardColumn {
  /** 0 means no limit. */
  readonly wipLimit: number
}

/** What the board does automatically, and which columns it shows. */
export interface BoardConfig extends Shown<Omit<Config.BoardConfig, "columns">> {
  readonly columns: ReadonlyArray<BoardColumn>
}

/** Whether an agent is working on a card. */
export const isRunning = (task: Pick<Task, "status" | "run">): boolean =>
  task.status === "in-progress" && task.run?.status === "running"

/** Whether a card's work hasn't begun. */
export const isWaiting = ({ status }: Pick<Task, "status">): boolean => status === "backlog" || status === "todo"

/** Whether a card's work is over. */
export const isOver = ({ status }: Pick<Task, "status">): boolean => status === "done" || status === "cancelled"

/** How long the run took whose result waits for a review or is approved; null without one. */
export const runTook = ({ run, status }: Pick<Task, "status" | "run">): number | null =>
  (status === "review" || status === "done") && run?.status === "done" && run.endedAt !== null
    ? run.endedAt - run.startedAt
    : null
