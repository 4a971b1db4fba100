import type { Answers } from "../../../../src/contract/answers/Answers.ts"
import {
  type SavedView,
  TASK_PRIORITIES,
  TASK_SORTS,
  VIEW_LAYOUTS
} from "../../../../src/contract/answers/BoardAnswers.ts"
import type { EventData } from "../../../../src/contract/ConsoleEvent.ts"
import { fieldsOf, filledText, recordOf, recordsOf, textOf } from "../common/decode.ts"
import { createObservable } from "../common/Observable.ts"
import type { ActionResult, Readable } from "../common/readable.ts"
import type { ApiClient, EventStream } from "../link/apiTypes.ts"
import { textsOf, wordOf } from "./decodeBoard.ts"

/** A saved view; null without an id, a name or a layout. */
export const viewOf = (value: unknown): SavedView | null => {
  const fields = recordOf<SavedView>(value)
  const id = filledText(fields?.id)
  const name = filledText(fields?.name)
  const layout = wordOf(VIEW_LAYOUTS, fields?.layout)
  if (fields === null || id === null || name === null || layout === null) return null
  const filter = fieldsOf<NonNullable<SavedView["filter"]>>(fields.filter)
  const sort = fieldsOf<NonNullable<SavedView["sort"]>>(fields.sort)
  const by = wordOf(TASK_SORTS, sort.by)
  return {
    id,
    name,
    layout,
    filter: {
      q: textOf(filter.q) ?? "",
      priorities: textsOf(filter.priorities).flatMap((word) => wordOf(TASK_PRIORITIES, word) ?? []),
      labels: textsOf(filter.labels),
      assignee: textOf(filter.assignee) ?? "",
      overdue: filter.overdue === true
    },
    ...(by === null ? {} : { sort: { by, descending: sort.descending === true } })
  }
}

const viewsOf = (value: unknown): ReadonlyArray<SavedView> => recordsOf(value).flatMap((entry) => viewOf(entry) ?? [])

export interface BoardViews {
  /** By name. */
  readonly state: Readable<ReadonlyArray<SavedView>>
  /** Saves a view under its id, whether it's new or not. */
  save(view: SavedView): Promise<ActionResult<true>>
  remove(id: string): Promise<ActionResult<true>>
}

/** The views saved on the console, the same on every device. */
export function createBoardViews({
  api,
  events
}: {
  readonly api: Pick<ApiClient, "request">
  readonly events: Pick<EventStream, "on" | "connected">
}): BoardViews {
  const state = createObservable<ReadonlyArray<SavedView>>([])
  const path = (id: string) => `/api/kanban/views/${encodeURIComponent(id)}`
  const inOrder = (views: ReadonlyArray<SavedView>) =>
    views.toSorted((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id))

  async function refresh(): Promise<void> {
    const answer = await api.request("GET", "/api/kanban/views", (body) =>
      viewsOf(fieldsOf<Answers["GET /api/kanban/views"]>(body).views)
    )
    if (answer.ok) state.set(answer.value)
  }

  events.on("kanban.changed", ({ data }) => {
    const { kind, views } = fieldsOf<EventData["kanban.changed"]>(data)
    if (kind === "views") state.set(viewsOf(views))
  })
  events.connected.subscribe((up) => {
    if (up) void refresh()
  })
  void refresh()

  return {
    state,
    save: async ({ id, ...body }) => {
      const saved = await api.request("PUT", path(id), viewOf, { body })
      if (!saved.ok) return { ok: false, message: saved.error.message }
      state.set(inOrder([...state.get().filter((view) => view.id !== id), saved.value]))
      return { ok: true, value: true }
    },
    remove: async (id) => {
      const done = await api.request("DELETE", path(id), (): true => true, { keepalive: true })
      if (!done.ok && done.error.kind !== "not_found") return { ok: false, message: done.error.message }
      state.set(state.get().filter((view) => view.id !== id))
      return { ok: true, value: true }
    }
  }
}
