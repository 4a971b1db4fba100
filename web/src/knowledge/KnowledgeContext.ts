import { createContextId, type Signal, useContext, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import type { Knowledge } from "../core/knowledge/knowledgeOf.ts"

/** The shown agent's knowledge; everything below is redrawn for another agent. */
export const KnowledgeContext = createContextId<Knowledge>("agent-console.knowledge")

export const useKnowledge = (): Knowledge => useContext(KnowledgeContext)

/** The words of a filter, at first and whenever the address brings some (`?find=`). */
export const useFindQuery = (): Signal<string> => {
  const { location } = useServices().router
  const words = useSignal(() => new URLSearchParams(location.get().search).get("find") ?? "")
  useBrowserTask$(({ cleanup }) =>
    cleanup(
      location.subscribe(({ search }) => {
        const find = new URLSearchParams(search).get("find")
        if (find !== null) words.value = find
      })
    )
  )
  return words
}
