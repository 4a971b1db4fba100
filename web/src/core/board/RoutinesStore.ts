import type { CreateRoutine, Routine } from "../../../../src/contract/schema/routine.ts"
import type { CreateTemplate, TaskTemplate } from "../../../../src/contract/schema/template.ts"
import { type ActionResult, createObservable, type Readable } from "../common/Observable.ts"
import type { ApiClient, ApiResult, EventStream } from "../link/apiTypes.ts"
import { taskOf } from "./readBoard.ts"

export interface RoutinesState {
  /** By name; null until they are known. */
  readonly routines: ReadonlyArray<Routine> | null
  readonly templates: ReadonlyArray<TaskTemplate> | null
  /** Why they couldn't be loaded. */
  readonly problem: string | null
  /** Those whose deletion can still be undone. */
  readonly hidden: ReadonlySet<string>
}

/** What something kept under a version is called by. */
type Known = Pick<Routine, "id" | "version">

export interface RoutinesStore {
  readonly state: Readable<RoutinesState>
  refresh(): Promise<void>
  /** Adds a recurring card, or changes the known one. */
  saveRoutine(known: Known | null, body: Partial<CreateRoutine>): Promise<ActionResult<Routine>>
  saveTemplate(known: Known | null, body: CreateTemplate): Promise<ActionResult<TaskTemplate>>
  /** Makes a card now; the value is its id. */
  run(id: string): Promise<ActionResult<string>>
  /** Takes one off the screen until its deletion is decided, or puts it back. */
  hide(id: string, isHidden: boolean): void
  remove(kind: "routines" | "templates", id: string): Promise<ActionResult<true>>
}

interface Source {
  readonly api: Pick<ApiClient, "request">
  readonly events: Pick<EventStream, "on" | "connected">
}

const itself = <A>(answer: A): A => answer

const byName = <A extends { readonly name: string; readonly id: string }>(list: ReadonlyArray<A>): ReadonlyArray<A> =>
  list.toSorted((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id))

const withOne = <A extends { readonly id: string; readonly name: string }>(list: ReadonlyArray<A> | null, one: A) =>
  byName([...(list ?? []).filter(({ id }) => id !== one.id), one])

const resultOf = <A>(answer: ApiResult<A>): ActionResult<A> =>
  answer.ok ? answer : { ok: false, message: answer.error.message }

function createRoutinesStore({ api, events }: Source): RoutinesStore {
  const state = createObservable<RoutinesState>({ routines: null, templates: null, problem: null, hidden: new Set() })
  const path = (kind: "routines" | "templates", id = "") =>
    `/api/kanban/${kind}${id === "" ? "" : `/${encodeURIComponent(id)}`}`
  const change = (part: Partial<RoutinesState>) => state.set({ ...state.get(), ...part })

  async function refresh(): Promise<void> {
    const [routines, templates] = await Promise.all([
      api.request("GET", path("routines"), (answer: { readonly routines: ReadonlyArray<Routine> }) => answer.routines),
      api.request(
        "GET",
        path("templates"),
        (answer: { readonly templates: ReadonlyArray<TaskTemplate> }) => answer.templates
      )
    ])
    const known = state.get()
    change({
      routines: routines.ok ? byName(routines.value) : known.routines,
      templates: templates.ok ? byName(templates.value) : known.templates,
      problem: routines.ok ? (templates.ok ? null : templates.error.message) : routines.error.message
    })
  }

  const save = <A>(kind: "routines" | "templates", known: Known | null, body: object): Promise<ApiResult<A>> =>
    known === null
      ? api.request("POST", path(kind), itself<A>, { body })
      : api.request("PATCH", path(kind, known.id), itself<A>, { body: { version: known.version, ...body } })

  events.on("kanban.changed", ({ data: { action } }) => {
    if (action === "routine" || action === "template") void refresh()
  })
  events.connected.subscribe((up) => {
    if (up) void refresh()
  })
  void refresh()

  return {
    state,
    refresh,
    saveRoutine: async (known, body) => {
      const saved = await save<Routine>("routines", known, body)
      if (saved.ok) change({ routines: withOne(state.get().routines, saved.value) })
      else void refresh()
      return resultOf(saved)
    },
    saveTemplate: async (known, body) => {
      const saved = await save<TaskTemplate>("templates", known, body)
      if (saved.ok) change({ templates: withOne(state.get().templates, saved.value) })
      else void refresh()
      return resultOf(saved)
    },
    run: async (id) => {
      const made = await api.request("POST", `${path("routines", id)}/run`, taskOf)
      return made.ok ? { ok: true, value: made.value.id } : resultOf(made)
    },
    hide: (id, isHidden) => {
      const hidden = new Set(state.get().hidden)
      if (isHidden) hidden.add(id)
      else hidden.delete(id)
      change({ hidden })
    },
    remove: async (kind, id) => {
      const gone = await api.request("DELETE", path(kind, id), (): true => true, { keepalive: true })
      await refresh()
      return gone.ok || gone.error.kind === "not_found" ? { ok: true, value: true } : resultOf(gone)
    }
  }
}

const stores = new WeakMap<Source, RoutinesStore>()

/** A console's recurring cards and templates, read when they are first wanted. */
export const routinesOf = (source: Source): RoutinesStore => {
  const known = stores.get(source)
  if (known !== undefined) return known
  const store = createRoutinesStore(source)
  stores.set(source, store)
  return store
}
