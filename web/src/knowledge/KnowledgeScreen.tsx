import { component$, useConstant } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { matchRoute } from "../app/routes.ts"
import { useReadable } from "../app/useReadable.ts"
import { useMarkdown } from "../chat/useMarkdown.ts"
import { knowledgeOf } from "../core/knowledge/knowledgeOf.ts"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ScreenHead } from "../ui/ScreenHead.tsx"
import { Tabs } from "../ui/Tabs.tsx"
import { DocumentsPane } from "./DocumentsPane.tsx"
import { FilesPane } from "./FilesPane.tsx"
import { LogPane } from "./LogPane.tsx"
import { MemoryPane } from "./MemoryPane.tsx"
import { StaleNote } from "./StaleNote.tsx"
import "../chat/markdown.css"
import "./knowledge.css"

/** The places of the screen; `unsaved` is how keys of their unsaved texts begin. */
const PLACES = [
  { href: "/knowledge/memory", label: "Memory", unsaved: "memory" },
  { href: "/knowledge/documents", label: "Documents", unsaved: "document:" },
  { href: "/knowledge/files", label: "Files", unsaved: "file:" },
  { href: "/knowledge/log", label: "Agent log", unsaved: null }
] as const

/** What the agents know: their memory, documents, files and log, each at an address of its own. */
export const KnowledgeScreen = component$(() => {
  const app = useServices()
  const location = useReadable(app.router.location)
  const drafts = useReadable(useConstant(() => knowledgeOf(app.console).unsaved))
  useMarkdown()
  const [place = "memory", ...rest] = matchRoute(location.value).segments
  const documentKey = rest[0] ?? null
  const file = rest.length === 0 ? null : rest.join("/")
  const tabs = PLACES.map(({ href, label, unsaved }) => ({
    href,
    label,
    count: unsaved === null ? 0 : drafts.value.filter((key) => key.startsWith(unsaved)).length
  }))
  return (
    <>
      <ScreenHead title="Knowledge">
        <StaleNote />
      </ScreenHead>
      <Tabs label="Knowledge" tabs={tabs} current={`/knowledge/${place}`} />
      {place === "memory" && <MemoryPane />}
      {place === "documents" && <DocumentsPane open={documentKey} />}
      {place === "files" && <FilesPane open={file} />}
      {place === "log" && <LogPane />}
      {!PLACES.some(({ href }) => href === `/knowledge/${place}`) && (
        <EmptyState icon="brain" title="There is nothing here" text="Choose one of the places above." />
      )}
    </>
  )
})
