import { component$ } from "@builder.io/qwik"
import { isElsewhere } from "../core/knowledge/agentConnections.ts"
import { filePath } from "./fileActions.ts"
import { useKnowledge } from "./KnowledgeContext.ts"

/** Where memories come from: the file, which the agent writes too. */
export const MemorySource = component$<{ readonly path: string }>((props) => {
  const knowledge = useKnowledge()
  const { path } = props
  return (
    <p class="row wrap soft small memory-source">
      {isElsewhere(knowledge.agent) ? (
        <code dir="ltr">{path}</code>
      ) : (
        <a href={filePath(knowledge.agent, path)}>
          <code dir="ltr">{path}</code>
        </a>
      )}
    </p>
  )
})
