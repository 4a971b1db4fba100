import { createContextId, useContext } from "@builder.io/qwik"
import type { Knowledge } from "../core/knowledge/knowledgeOf.ts"

/** The shown agent's knowledge; everything below is redrawn for another agent. */
export const KnowledgeContext = createContextId<Knowledge>("agent-console.knowledge")

export const useKnowledge = (): Knowledge => useContext(KnowledgeContext)
