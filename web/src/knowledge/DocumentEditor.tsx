import { component$, useConstant, useVisibleTask$ } from "@builder.io/qwik"
import { say } from "../core/language/say.ts"
import { TextPane } from "../editor/TextPane.tsx"
import { followSaveKey } from "./followSaveKey.ts"
import { useKnowledge } from "./KnowledgeContext.ts"

interface DocumentEditorProps {
  readonly documentKey: string
  readonly filename: string
}

/** One of the six documents, open. Give it the document's key: the document never changes during its life. */
export const DocumentEditor = component$<DocumentEditorProps>((props) => {
  const knowledge = useKnowledge()
  const document = useConstant(() => knowledge.documents.document(props.documentKey))

  useVisibleTask$(
    ({ cleanup }) => {
      void document.load()
      cleanup(followSaveKey(() => document))
    },
    { strategy: "document-ready" }
  )

  return (
    <TextPane
      document={document}
      name={props.filename}
      label={say("Text of {filename}", { filename: props.filename })}
      missing={say("{filename} doesn't exist yet. The agent works without it.", { filename: props.filename })}
    />
  )
})
