import { component$, useConstant, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { knowledgeOf } from "../core/knowledge/knowledgeOf.ts"
import { TextPane } from "../editor/TextPane.tsx"
import { followSaveKey } from "./followSaveKey.ts"

interface DocumentEditorProps {
  readonly documentKey: string
  readonly filename: string
}

/** One of the six documents, open. Give it the document's key: the document never changes during its life. */
export const DocumentEditor = component$<DocumentEditorProps>((props) => {
  const app = useServices()
  const document = useConstant(() => knowledgeOf(app.console).documents.document(props.documentKey))

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
      label={`Text of ${props.filename}`}
      missing={`${props.filename} has not been written yet. The agent works without it.`}
    />
  )
})
