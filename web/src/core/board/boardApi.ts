import { MAX_TASKS_PER_PAGE, type TaskStatus } from "../../../../src/contract/board.ts"
import type { Proposal as Proposed } from "../../../../src/contract/schema/proposal.ts"
import type { Model } from "../../../../src/contract/schema/session.ts"
import type { TaskPage } from "../../../../src/contract/schema/task.ts"
import type { ApiClient, ApiFailure, ApiResult } from "../link/apiTypes.ts"
import { readModels } from "../sessions/sessionChoices.ts"
import type { BoardConfig, Proposal, Task, TaskChanges } from "./boardTypes.ts"
import { configOf, proposalOf, taskOf } from "./readBoard.ts"

/** Fields of a new card; what is absent or null is left to the board. */
export type NewTask = TaskChanges & { readonly title: string }

/** The parameters of a step in a card's life. */
export interface StepBody {
  readonly note?: string
  readonly model?: string
  readonly thinking?: string
  /** Starts a card that waits for others, or for its time. */
  readonly force?: boolean
}

/** The board's API calls; none of them ever throws. */
export interface BoardApi {
  page(offset: number): Promise<ApiResult<{ readonly items: ReadonlyArray<Task>; readonly hasMore: boolean }>>
  /** The cards that wait for something. */
  blocked(): Promise<ApiResult<{ readonly items: ReadonlyArray<Task>; readonly hasMore: boolean }>>
  create(task: NewTask): Promise<ApiResult<Task>>
  patch(id: string, version: number, changes: TaskChanges): Promise<ApiResult<Task>>
  /** Completes even if the page is left in the meantime. */
  remove(id: string): Promise<ApiResult<true>>
  reorder(id: string, version: number, targetStatus: TaskStatus, targetIndex: number): Promise<ApiResult<Task>>
  step(id: string, name: "execute" | "approve" | "reject" | "abort", body: StepBody): Promise<ApiResult<Task>>
  proposals(): Promise<ApiResult<ReadonlyArray<Proposal>>>
  config(): Promise<ApiResult<BoardConfig>>
  saveConfig(change: object): Promise<ApiResult<BoardConfig>>
  models(): Promise<ApiResult<ReadonlyArray<Model>>>
}

/** The card in a version conflict; null for any other failure. */
export const latestOf = ({ body }: ApiFailure): Task | null => (body?.latest === undefined ? null : taskOf(body.latest))

const withoutNulls = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))

const accepted = (): true => true

const pageOf = ({ hasMore, items }: TaskPage) => ({ items: items.map(taskOf), hasMore })

export const createBoardApi = (api: ApiClient): BoardApi => {
  const task = (id: string) => `/api/kanban/tasks/${encodeURIComponent(id)}`
  return {
    page: (offset) => api.request("GET", `/api/kanban/tasks?limit=${MAX_TASKS_PER_PAGE}&offset=${offset}`, pageOf),
    blocked: () => api.request("GET", `/api/kanban/tasks?limit=${MAX_TASKS_PER_PAGE}&blocked=true`, pageOf),
    create: (fields) => api.request("POST", "/api/kanban/tasks", taskOf, { body: withoutNulls(fields) }),
    patch: (id, version, changes) => api.request("PATCH", task(id), taskOf, { body: { version, ...changes } }),
    remove: (id) => api.request("DELETE", task(id), accepted, { keepalive: true }),
    reorder: (id, version, targetStatus, targetIndex) =>
      api.request("POST", `${task(id)}/reorder`, taskOf, { body: { version, targetStatus, targetIndex } }),
    step: (id, name, body) => api.request("POST", `${task(id)}/${name}`, taskOf, { body }),
    proposals: () =>
      api.request("GET", "/api/kanban/proposals", (answer: { readonly proposals: ReadonlyArray<Proposed> }) =>
        answer.proposals.map(proposalOf)
      ),
    config: () => api.request("GET", "/api/kanban/config", configOf),
    saveConfig: (change) => api.request("PUT", "/api/kanban/config", configOf, { body: change }),
    models: () => readModels(api)
  }
}
