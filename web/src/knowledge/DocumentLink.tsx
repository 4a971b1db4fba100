import { component$, useConstant } from "@builder.io/qwik"
import { useReadable } from "../base/useReadable.ts"
import type { DocumentRow } from "../core/knowledge/DocumentsStore.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { documentAbout } from "./documentAbout.ts"
import { placePath } from "./filePath.ts"
import { useKnowledge } from "./KnowledgeContext.ts"

interface DocumentLinkProps {
  readonly row: DocumentRow
  readonly current: boolean
}

/** A document in the list: its name, what it is for, and whether it exists or has unsaved text. */
export const DocumentLink = component$<DocumentLinkProps>((props) => {
  const knowledge = useKnowledge()
  const document = useConstant(() => knowledge.documents.document(props.row.key))
  const state = useReadable(document.state)
  const { key, filename, exists } = props.row
  const isUnsaved = state.value.dirty || knowledge.documents.isUnsaved(key)
  return (
    <a
      class={["stack plain-link step-link", !exists && "is-missing"]}
      href={placePath(knowledge.agent, `documents/${key}`)}
      aria-current={props.current ? "page" : undefined}
      onClick$={async () => {
        if (exists) return
        await document.load()
        document.begin()
      }}
    >
      <span class="place-center soft step-kind">
        <Icon name="file" />
      </span>
      <span class="step-name">{filename}</span>
      <span class="soft small break-words step-about">{documentAbout(key)}</span>
      {isUnsaved && <span class="small strong step-mark is-unsaved">{say("unsaved")}</span>}
      {!isUnsaved && !exists && <span class="small strong step-mark is-action">{say("Create")}</span>}
      {(exists || isUnsaved) && (
        <span class="step-open">
          <Icon name="chevron-right" />
        </span>
      )}
    </a>
  )
})
