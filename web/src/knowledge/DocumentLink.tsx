import { component$, useConstant } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { useReadable } from "../app/useReadable.ts"
import type { DocumentRow } from "../core/knowledge/DocumentsStore.ts"
import { knowledgeOf } from "../core/knowledge/knowledgeOf.ts"

interface DocumentLinkProps {
  readonly row: DocumentRow
  readonly current: boolean
}

const ABOUT: Readonly<Record<string, string>> = {
  soul: "Character and tone",
  tools: "Notes about its tools",
  identity: "Its name and how it presents itself",
  user: "The person it works for",
  agents: "How it works, and its rules",
  heartbeat: "What it looks after from time to time"
}

/** A document in the list: its name, what it is for, and whether it is there or has unsaved text. */
export const DocumentLink = component$<DocumentLinkProps>((props) => {
  const app = useServices()
  const document = useConstant(() => knowledgeOf(app.console).documents.document(props.row.key))
  const state = useReadable(document.state)
  const { key, filename, exists } = props.row
  const isUnsaved = state.value.dirty || knowledgeOf(app.console).documents.isUnsaved(key)
  return (
    <a class="step-link" href={`/knowledge/documents/${key}`} aria-current={props.current ? "page" : undefined}>
      <span class="step-name">{filename}</span>
      <span class="step-about">{Object.hasOwn(ABOUT, key) ? ABOUT[key] : ""}</span>
      {isUnsaved && <span class="step-mark is-unsaved">unsaved</span>}
      {!isUnsaved && !exists && <span class="step-mark">not written yet</span>}
    </a>
  )
})
