import { fieldsOf, filledText, listOf, recordOf, recordsOf } from "../decode.ts"
import type { ApiClient, ApiFailure, ApiResult } from "../types.ts"
import type { BoardConfig, Proposal, Task, TaskChanges, TaskStatus } from "./boardTypes.ts"
import { configOf, pageOf, proposalOf, taskOf } from "./decodeBoard.ts"

/** Cards per request, the most the server gives (SPEC "Limits"). */
const PAGE = 200

export interface ModelChoice {
  /** `provider/model`. */
  readonly id: string
  readonly label: string
}

/** Fields of a new card; what is absent or null is left to the board. */
export type NewTask = TaskChanges & { readonly title: string }

/** What a step of a card's life is asked for with. */
export interface StepBody {
  readonly note?: string
  readonly model?: string
  readonly thinking?: string
}

/** The calls of the board (SPEC "Kanban"); none of them ever throws. */
export interface BoardApi {
  page(offset: number): Promise<ApiResult<{ readonly items: ReadonlyArray<Task>; readonly hasMore: boolean }>>
  create(task: NewTask): Promise<ApiResult<Task>>
  patch(id: string, version: number, changes: TaskChanges): Promise<ApiResult<Task>>
  /** Goes through even when the page is left meanwhile. */
  remove(id: string): Promise<ApiResult<true>>
  reorder(id: string, version: number, targetStatus: TaskStatus, targetIndex: number): Promise<ApiResult<Task>>
  step(id: string, name: "execute" | "approve" | "reject" | "abort", body: StepBody): Promise<ApiResult<Task>>
  proposals(): Promise<ApiResult<ReadonlyArray<Proposal>>>
  approveProposal(id: string): Promise<ApiResult<{ readonly taskId: string }>>
  rejectProposal(id: string, reason: string): Promise<ApiResult<true>>
  config(): Promise<ApiResult<BoardConfig>>
  saveConfig(change: object): Promise<ApiResult<BoardConfig>>
  models(): Promise<ApiResult<ReadonlyArray<ModelChoice>>>
}

/** The card a version conflict carries (SPEC "Errors"); null for any other failure. */
export const latestOf = (failure: ApiFailure): Task | null => {
  const body = fieldsOf(failure.body)
  return body.error === "version_conflict" ? taskOf(body.latest) : null
}

const withoutNulls = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))

const accepted = (): true => true

const modelsOf = (value: unknown): ReadonlyArray<ModelChoice> =>
  recordsOf(fieldsOf(value).models).flatMap((model) => {
    const id = filledText(model.id)
    return id === null ? [] : [{ id, label: filledText(model.label) ?? id }]
  })

export const createBoardApi = (api: ApiClient): BoardApi => {
  const task = (id: string) => `/api/kanban/tasks/${encodeURIComponent(id)}`
  const proposal = (id: string) => `/api/kanban/proposals/${encodeURIComponent(id)}`
  return {
    page: (offset) => api.request("GET", `/api/kanban/tasks?limit=${PAGE}&offset=${offset}`, pageOf),
    create: (fields) => api.request("POST", "/api/kanban/tasks", taskOf, { body: withoutNulls(fields) }),
    patch: (id, version, changes) => api.request("PATCH", task(id), taskOf, { body: { version, ...changes } }),
    remove: (id) => api.request("DELETE", task(id), accepted, { keepalive: true }),
    reorder: (id, version, targetStatus, targetIndex) =>
      api.request("POST", `${task(id)}/reorder`, taskOf, { body: { version, targetStatus, targetIndex } }),
    step: (id, name, body) => api.request("POST", `${task(id)}/${name}`, taskOf, { body }),
    proposals: () =>
      api.request("GET", "/api/kanban/proposals", (body) =>
        recordOf(body) === null ? null : listOf(fieldsOf(body).proposals).flatMap((entry) => proposalOf(entry) ?? [])
      ),
    approveProposal: (id) =>
      api.request("POST", `${proposal(id)}/approve`, (body) => ({
        taskId: filledText(fieldsOf(fieldsOf(body).task).id) ?? ""
      })),
    rejectProposal: (id, reason) =>
      api.request("POST", `${proposal(id)}/reject`, accepted, { body: reason === "" ? {} : { reason } }),
    config: () => api.request("GET", "/api/kanban/config", configOf),
    saveConfig: (change) => api.request("PUT", "/api/kanban/config", configOf, { body: change }),
    models: () => api.request("GET", "/api/gateway/models", modelsOf)
  }
}
