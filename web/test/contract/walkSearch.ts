import { mkdirSync, rmdirSync, writeFileSync } from "node:fs"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Client } from "../../src/core/client/Client.ts"
import { createIndexStore, type IndexStore } from "../../src/core/search/IndexStore.ts"
import { createSearchStore, type SearchStore } from "../../src/core/search/SearchStore.ts"
import { aroundSearch } from "../../src/core/search/searchOf.ts"
import type { SearchHit } from "../../src/core/search/searchTypes.ts"
import { whileTimePasses } from "./whileTimePasses.ts"

interface SearchedPage {
  readonly client: Client
  readonly request: (path: string, init: RequestInit) => Effect.Effect<unknown>
  readonly svcHome: string
}

const done = (result: { readonly ok: boolean }): void => assert.isTrue(result.ok, JSON.stringify(result))

/** Lets the page see an index that can't be written, and one whose file was damaged while nobody searched. */
const pauseIndex = async ({ svcHome }: SearchedPage, store: SearchStore, index: IndexStore): Promise<void> => {
  const file = `${svcHome}/search.db`
  const shown = async () => {
    await index.index.refresh()
    return index.index.state.get().value
  }
  done(await index.remove())
  mkdirSync(file)
  await store.search("hello two ")
  assert.match(store.state.get().problem ?? "", /the console can't use the search index/)
  assert.deepInclude(await shown(), { messages: null, bytes: null })
  assert.match((await shown())?.paused ?? "", /the console can't use the search index/)
  rmdirSync(file)
  await store.retry()
  assert.match(store.state.get().paused ?? "", /the console can't use the search index/)
  for (let anew: string | null = null; anew === null; anew = (await shown())?.anew ?? null) {
    done(await index.remove())
    writeFileSync(file, "no database".repeat(500))
    await store.search("two two ").then(() => store.retry())
  }
}

/** Everything the search can answer with. */
export const walkSearch = Effect.fnUntraced(function* (page: SearchedPage) {
  const { client, request } = page
  const store = createSearchStore({ api: client.api, around: aroundSearch(client, () => 0), limit: 1 })
  const index = createIndexStore(client, () => 0)
  yield* request("/api/kanban/tasks", { method: "POST", body: JSON.stringify({ title: "Two hello" }) })
  const all: Array<SearchHit> = []
  const ask = async (words: string) => {
    await store.search(words).then(() => store.retry())
    while (store.state.get().cursor !== null) await store.more()
    all.push(...store.state.get().hits)
  }
  const findUntil = (words: string, isIt: (hit: SearchHit) => boolean): Effect.Effect<void> =>
    Effect.flatMap(
      whileTimePasses(() => ask(words)),
      () => (all.some(isIt) ? Effect.void : findUntil(words, isIt))
    )
  yield* findUntil("hello ", ({ taskId }) => taskId !== null)
  yield* findUntil(
    "hello ",
    ({ sessionTitle, messageId, role }) => `${sessionTitle} ${messageId} ${role}` === "A 01e6350b assistant"
  )
  yield* findUntil("two ", ({ agent, path }) => `${agent} ${path}` === "helper MEMORY.md")
  yield* Effect.promise(async () => {
    done(await index.setToolOutput(false))
    done(await index.remove())
    await ask("two ")
    assert.isTrue(store.state.get().isBuilding)
    done(await index.rebuild())
  })
  yield* Effect.promise(() => pauseIndex(page, store, index))
})
