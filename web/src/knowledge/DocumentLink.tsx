import { component$, useConstant } from "@builder.io/qwik"
import { useReadable } from "../base/useReadable.ts"
import type { DocumentRow } from "../core/knowledge/DocumentsStore.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { placePath } from "./filePath.ts"
import { useKnowledge } from "./KnowledgeContext.ts"

interface DocumentLinkProps {
  readonly row: DocumentRow
  readonly current: boolean
}

const ABOUT: Readonly<Record<string, string>> = {
  soul: say("Character and tone"),
  tools: say("Notes about its tools"),
  identity: say("Its name and how it presents itself"),
  user: say("The person it works for"),
  agents: say("How it works, and its rules"),
  heartbeat: say("What it checks from time to time")
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
      class="step-link"
      href={placePath(knowledge.agent, `documents/${key}`)}
      aria-current={props.current ? "page" : undefined}
    >
      <span class={["step-name", !exists && "is-missing"]}>{filename}</span>
      <span class="step-about">{Object.hasOwn(ABOUT, key) ? ABOUT[key] : ""}</span>
      {isUnsaved && <span class="step-mark is-unsaved">{say("unsaved")}</span>}
      {!isUnsaved && !exists && <span class="step-mark">{say("not created yet")}</span>}
      <span class="step-open">
        <Icon name="chevron-right" />
      </span>
    </a>
  )
})
