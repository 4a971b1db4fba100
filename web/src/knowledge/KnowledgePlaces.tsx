import { component$, useConstant, useContextProvider } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { isElsewhere } from "../core/knowledge/agentConnections.ts"
import { knowledgeOf } from "../core/knowledge/knowledgeOf.ts"
import { say } from "../core/language/say.ts"
import { EmptyState } from "../ui/EmptyState.tsx"
import { DocumentsPane } from "./DocumentsPane.tsx"
import { FilesPane } from "./FilesPane.tsx"
import { KnowledgeContext } from "./KnowledgeContext.ts"
import { PLACES } from "./KnowledgeTabs.tsx"
import { LogPane } from "./LogPane.tsx"
import { MemoryPane } from "./MemoryPane.tsx"
import { ShownFilesPane } from "./ShownFilesPane.tsx"

interface KnowledgePlacesProps {
  /** Null for the default agent. Use it as the key, too: the agent never changes during its life. */
  readonly agent: string | null
  /** Name of an agent that has no workspace yet. */
  readonly newcomer: string | null
  /** The part of the address after the screen. */
  readonly segments: ReadonlyArray<string>
}

/** One agent's knowledge: its memory, documents and files, and the log of all agents. */
export const KnowledgePlaces = component$<KnowledgePlacesProps>((props) => {
  const app = useServices()
  const knowledge = useConstant(() => knowledgeOf(app.client).of(props.agent))
  useContextProvider(KnowledgeContext, knowledge)
  const place = props.segments[0] ?? "memory"
  const rest = props.segments.slice(1)
  const documentKey = rest[0] ?? null
  const file = rest.length === 0 ? null : rest.join("/")
  const newcomer = place === "log" ? null : props.newcomer
  return (
    <>
      {newcomer !== null && (
        <p class="no-shrink soft small border-bottom newcomer-note">
          {say(
            "{newcomer} has no workspace yet. It's created when the agent first works, or when you save something here.",
            { newcomer }
          )}
        </p>
      )}
      {place === "memory" && <MemoryPane />}
      {place === "documents" && <DocumentsPane open={documentKey} />}
      {place === "files" && !isElsewhere(props.agent) && <FilesPane open={file} />}
      {place === "files" && isElsewhere(props.agent) && <ShownFilesPane open={file} />}
      {place === "log" && <LogPane />}
      {!PLACES.some((one) => one.place === place) && (
        <EmptyState icon="brain" title={say("Page not found")} text={say("Choose one of the pages above.")} />
      )}
    </>
  )
})
