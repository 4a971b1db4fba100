import type { Absent, Shown } from "../../../../src/contract/looseFields.ts"
import type * as Answers from "../../../../src/contract/schema/search.ts"
import type { Client } from "../client/Client.ts"
import type { ApiResult } from "../link/apiTypes.ts"
import { createLiveQuery, type LiveQuery } from "../operations/LiveQuery.ts"
import { streamBack } from "../operations/sources.ts"

/** Milliseconds between looks at an index that is being built, or paused. */
const BUILDING_MS = 2_000
const PATH = "/api/search/index"

/** The index behind the search; `progress` is null when nobody knows, and once it is built. */
export type SearchIndex = Shown<Answers.SearchIndex>

const NOT_IN_INDEX: Absent<Answers.SearchIndex> = {
  progress: null,
  anew: null,
  paused: null,
  messages: null,
  documents: null,
  bytes: null
}

export interface IndexStore {
  readonly index: LiveQuery<SearchIndex>
  /** Keeps the state current until the returned function is called. */
  open(): () => void
  setToolOutput(toolOutput: boolean): Promise<ApiResult<unknown>>
  rebuild(): Promise<ApiResult<unknown>>
  remove(): Promise<ApiResult<unknown>>
}

/** The state of the index, and what a person does with it. */
export function createIndexStore(client: Pick<Client, "api" | "events">, now: () => number = Date.now): IndexStore {
  async function change(method: "PATCH" | "POST" | "DELETE", path: string, body?: object): Promise<ApiResult<unknown>> {
    const result = await client.api.request(method, path, (done: object) => done, body === undefined ? {} : { body })
    await index.refresh()
    return result
  }

  /** Looks again and again while the index is being built or paused, which no event tells. */
  function whileBuilding(changed: () => void): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = index.state.subscribe(({ value, busy }) => {
      clearTimeout(timer)
      if (!busy && value !== null && (value.state === "building" || value.paused !== null))
        timer = setTimeout(changed, BUILDING_MS)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }

  const index = createLiveQuery({
    now,
    sources: [streamBack(client.events), (changed) => whileBuilding(changed)],
    load: () => client.api.request("GET", PATH, (found: Answers.SearchIndex) => ({ ...NOT_IN_INDEX, ...found }))
  })

  return {
    index,
    open: () => index.open(),
    setToolOutput: (toolOutput) => {
      index.patch((value) => ({ ...value, toolOutput }))
      return change("PATCH", PATH, { toolOutput })
    },
    rebuild: () => change("POST", `${PATH}/rebuild`),
    remove: () => change("DELETE", PATH)
  }
}

const stores = new WeakMap<Client, IndexStore>()

/** A console's store, created on first use. */
export const indexStore = (client: Client): IndexStore => {
  const store = stores.get(client) ?? createIndexStore(client)
  stores.set(client, store)
  return store
}
