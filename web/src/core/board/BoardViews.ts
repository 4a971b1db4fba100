import type { SavedView } from "../../../../src/contract/schema/savedView.ts"
import { createObservable } from "../common/Observable.ts"
import type { ActionResult, Readable } from "../common/readable.ts"
import type { ApiClient, EventStream } from "../link/apiTypes.ts"

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
    const answer = await api.request(
      "GET",
      "/api/kanban/views",
      ({ views }: { readonly views: ReadonlyArray<SavedView> }) => views
    )
    if (answer.ok) state.set(answer.value)
  }

  events.on("kanban.changed", ({ data }) => {
    if (data.views !== undefined) state.set(data.views)
  })
  events.connected.subscribe((up) => {
    if (up) void refresh()
  })
  void refresh()

  return {
    state,
    save: async ({ id, ...body }) => {
      const saved = await api.request("PUT", path(id), (view: SavedView) => view, { body })
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
